import { MERGE_META_KEY } from '@mcp-apps-bridge/partial-results';
import { withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { McpServer } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Query } from '../data/aggregate.ts';
import { isRegion, REGIONS } from '../data/rows.ts';
import type { Row } from '../data/rows.ts';
import type { CallRecord } from '../http/call-log.ts';
import { registerApp } from '../http/app-resource.ts';
import { pause } from '../http/pace.ts';
import { a2uiBlock, toJsonl } from './a2ui.ts';
import {
  dashboardMessages,
  dashboardSteps,
  dashboardText,
  rowCount,
  SURFACE_ID,
  updateMessages,
} from './dashboard.ts';
import { tokens, writeProse } from './prose.ts';

const DASHBOARD_URI = 'ui://report/dashboard.html';
const REPORT_URI = 'ui://report/report.html';
const LATEST = { year: 2025, quarter: 4 } as const;

const period = z.object({
  quarter: z.literal([1, 2, 3, 4]).default(LATEST.quarter).describe('Quarter of the year, 1 to 4'),
  year: z.number().int().default(LATEST.year).describe('Calendar year'),
  region: z.enum(REGIONS).optional().describe('One region; all regions when left out'),
});

/** What an A2UI renderer sends when a button or a choice was used. */
const action = z.object({
  name: z.string(),
  surfaceId: z.string(),
  sourceComponentId: z.string().optional(),
  timestamp: z.string().optional(),
  context: z.record(z.string(), z.unknown()).default({}),
});

export interface ReportServerOptions {
  rows: readonly Row[];
  /** Milliseconds between two steps of the dashboard; a word of prose takes a third of it. */
  paceMs: number;
  startCall(tool: string, args: unknown): CallRecord;
  readApp(name: 'dashboard' | 'report'): string;
}

/** One instance a request, as SDK v2 serves them. */
export function createReportServer(options: ReportServerOptions): McpServer {
  const { rows, paceMs } = options;
  const server = new McpServer({ name: 'demo-report', version: '1.0.0', title: 'Revenue reports' });
  registerApp(server, 'dashboard', DASHBOARD_URI, () => options.readApp('dashboard'));
  registerApp(server, 'report', REPORT_URI, () => options.readApp('report'));

  server.registerTool(
    'generate_dashboard',
    {
      title: 'Revenue dashboard',
      description:
        'Builds an interactive dashboard of revenue for a quarter, compared with the quarter before.',
      inputSchema: period,
      annotations: streaming('Revenue dashboard'),
      _meta: { ui: { resourceUri: DASHBOARD_URI }, [MERGE_META_KEY]: { content: 'jsonl' } },
    },
    withPartialResults(async (query, ctx): Promise<CallToolResult> => {
      const missing = missingPeriod(rows, query);
      if (missing !== undefined) return missing;
      return track(options.startCall('generate_dashboard', query), ctx.mcpReq.signal, async (record) => {
        for (const messages of dashboardSteps(rows, query)) {
          record.steps++;
          await ctx.emitPartial({ content: [a2uiBlock(SURFACE_ID, toJsonl(messages))] });
          record.emitted++;
          await pause(paceMs, ctx.mcpReq.signal);
        }
        return dashboardResult(dashboardText(rows, query), toJsonl(dashboardMessages(rows, query)));
      });
    }),
  );

  server.registerTool(
    'write_report',
    {
      title: 'Revenue report',
      description: 'Writes a short revenue report in prose for a quarter.',
      inputSchema: period,
      annotations: streaming('Revenue report'),
      _meta: { ui: { resourceUri: REPORT_URI }, [MERGE_META_KEY]: { content: 'append' } },
    },
    withPartialResults(
      async (query, ctx): Promise<CallToolResult> => {
        const missing = missingPeriod(rows, query);
        if (missing !== undefined) return missing;
        return track(options.startCall('write_report', query), ctx.mcpReq.signal, async (record) => {
          const prose = writeProse(rows, query);
          for (const text of tokens(prose)) {
            record.steps++;
            await ctx.emitPartial({ content: [{ type: 'text', text }] });
            record.emitted++;
            await pause(paceMs / 3, ctx.mcpReq.signal);
          }
          return { content: [{ type: 'text', text: prose }] };
        });
      },
      { modes: { content: 'append' } },
    ),
  );

  server.registerTool(
    'action',
    {
      title: 'Dashboard action',
      description: 'Answers what was chosen on the dashboard with the updates for its surface.',
      inputSchema: action,
      annotations: { readOnlyHint: true },
      // The dashboard's own: no model ever sees it.
      _meta: { ui: { resourceUri: DASHBOARD_URI, visibility: ['app'] } },
    },
    ({ name, surfaceId, context }): CallToolResult => {
      const query = name.startsWith('choose_') && surfaceId === SURFACE_ID ? queryOf(context) : undefined;
      if (query === undefined) return failure(`The dashboard has no action "${name}" with this context.`);
      const missing = missingPeriod(rows, query);
      if (missing !== undefined) return missing;
      return dashboardResult(dashboardText(rows, query), toJsonl(updateMessages(rows, query)));
    },
  );
  return server;
}

/** `streamingHint` is of the proposal; the SDK passes it on but does not know it. */
function streaming(title: string): { title: string; readOnlyHint: true; streamingHint: true } {
  return { title, readOnlyHint: true, streamingHint: true };
}

/** Text for the model and for hosts without a UI, the surface for the view. */
function dashboardResult(text: string, jsonl: string): CallToolResult {
  return {
    content: [
      { type: 'text', text, annotations: { audience: ['assistant'] } },
      a2uiBlock(SURFACE_ID, jsonl) as CallToolResult['content'][number],
    ],
  };
}

function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

function missingPeriod(rows: readonly Row[], query: Query): CallToolResult | undefined {
  if (rowCount(rows, query) > 0) return undefined;
  return failure(
    `There is no revenue for Q${query.quarter} ${query.year}. The data runs from Q4 2024 to Q4 2025.`,
  );
}

/** The query an action's context describes: the state of the two choices. */
function queryOf(context: Record<string, unknown>): Query | undefined {
  const quarter = /^Q([1-4])$/.exec(String(context['quarter']))?.[1];
  const year = context['year'];
  const region = context['region'];
  if (quarter === undefined || typeof year !== 'number' || !(region === 'all' || isRegion(region)))
    return undefined;
  return {
    year,
    quarter: Number(quarter) as Query['quarter'],
    region: region === 'all' ? undefined : region,
  };
}

/** Notes how the call ended. Aborting it makes `pause` throw, which ends the work. */
async function track(
  record: CallRecord,
  signal: AbortSignal,
  work: (record: CallRecord) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    const result = await work(record);
    record.state = 'finished';
    return result;
  } catch (error) {
    record.state = signal.aborted ? 'aborted' : 'failed';
    throw error;
  }
}
