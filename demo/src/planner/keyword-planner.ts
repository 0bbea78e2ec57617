import type { Plan, PlannedCall, Planner, PlannerTool } from './planner.ts';

interface Rule {
  tool: string;
  pattern: RegExp;
  plan(prompt: string): { say: string; arguments: Record<string, unknown> };
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];
const REGIONS: readonly [name: string, pattern: RegExp][] = [
  ['North America', /\bnorth america|\bnoram\b|\bamericas?\b/i],
  ['Europe', /\beurope\b|\bemea\b|\beuropean\b/i],
  ['Asia Pacific', /\basia\b|\bapac\b|\basia[- ]pacific\b/i],
  ['Latin America', /\blatin america|\blatam\b/i],
];
const SUITES: readonly [suite: string, label: string, pattern: RegExp][] = [
  ['types', 'the type check', /\btyp(?:e|es|echeck|ecript)\b|type[- ]?check|\btsc\b/i],
  ['host-bridge', 'the host-bridge tests', /host[- ]?bridge/i],
  ['app-runtime', 'the app-runtime tests', /app[- ]?runtime/i],
  ['demo', 'the demo tests', /\bdemo\b/i],
];

function readQuarter(prompt: string): number | undefined {
  const short = /\bq([1-4])\b/i.exec(prompt)?.[1];
  if (short !== undefined) return Number(short);
  const index = ORDINALS.findIndex((word) => new RegExp(`\\b${word} quarter\\b`, 'i').test(prompt));
  return index === -1 ? undefined : index + 1;
}

/** Quarter, year and region as far as the prompt names them; the tools have defaults for the rest. */
export function readPeriod(prompt: string): { quarter?: number; year?: number; region?: string } {
  const quarter = readQuarter(prompt);
  const year = /\b20\d\d\b/.exec(prompt)?.[0];
  // Latin America first: "americas" would match it as well.
  const region = REGIONS.toReversed().find(([, pattern]) => pattern.test(prompt))?.[0];
  return {
    ...(quarter !== undefined && { quarter }),
    ...(year !== undefined && { year: Number(year) }),
    ...(region !== undefined && { region }),
  };
}

function describePeriod(period: ReturnType<typeof readPeriod>): string {
  const quarter = period.quarter === undefined ? 'the latest quarter' : `Q${period.quarter}`;
  const year = period.year === undefined ? '' : ` ${period.year}`;
  return `${quarter}${year}${period.region === undefined ? '' : ` in ${period.region}`}`;
}

const RULES: readonly Rule[] = [
  {
    tool: 'run_checks',
    pattern: /\b(?:run|check|checks|tests?|typecheck|tsc|lint)\b|\btype[- ]check/i,
    plan(prompt) {
      const [suite, label] = SUITES.find(([, , pattern]) => pattern.test(prompt)) ?? [
        'partial-results',
        'the partial-results tests',
      ];
      return { say: `Running ${label}. The log appears as the process writes it.`, arguments: { suite } };
    },
  },
  {
    tool: 'generate_dashboard',
    pattern: /\b(?:dashboard|charts?|graphs?|kpis?|metrics|numbers|figures|visuali[sz]e)\b/i,
    plan(prompt) {
      const period = readPeriod(prompt);
      return { say: `Building the revenue dashboard for ${describePeriod(period)}.`, arguments: period };
    },
  },
  {
    tool: 'write_report',
    pattern: /\b(?:report|write|summar(?:y|ise|ize)|brief|memo|prose|narrative|revenue)\b/i,
    plan(prompt) {
      const period = readPeriod(prompt);
      return { say: `Writing the revenue report for ${describePeriod(period)}.`, arguments: period };
    },
  },
];

const HELP =
  'I can build a revenue dashboard, write a revenue report, or run this project’s own checks. ' +
  'Try one of the suggestions below.';

/** Picks by keyword: the first rule whose word occurs and whose tool is on offer. */
export function createKeywordPlanner(): Planner {
  return {
    plan(prompt: string, tools: readonly PlannerTool[]): Promise<Plan> {
      for (const rule of RULES) {
        const tool = tools.find(({ name }) => name === rule.tool);
        if (tool === undefined || !rule.pattern.test(prompt)) continue;
        const planned = rule.plan(prompt);
        const call: PlannedCall = { server: tool.server, tool: tool.name, arguments: planned.arguments };
        return Promise.resolve({ say: planned.say, call });
      }
      return Promise.resolve({ say: HELP });
    },
  };
}
