import { createReport, type Report, type Verdict } from '../report.ts';
import type { Era } from '../wire/message.ts';
import { CLIENT_CHECKS, type ClientCheckId } from './catalogue.ts';
import { createOutcome } from './outcome.ts';
import { type ClientEvent, type ClientPlan, parseEvent } from './protocol.ts';
import { judgeScenario, type Scenario } from './scenario.ts';
import { authority, finalFlag } from './scenarios/ending.ts';
import { duplicates, gaps } from './scenarios/loss.ts';
import { malformed } from './scenarios/malformed.ts';
import { optIn } from './scenarios/opt-in.ts';
import { order } from './scenarios/order.ts';
import { foreign, late } from './scenarios/tokens.ts';
import { volume } from './scenarios/volume.ts';
import { createScriptedServer, SCRIPTED_TOOL, type Script } from './scripted-server.ts';
import { serveHttp, serveStdio } from './serve-scripted.ts';

/** Runs the client once. Resolves with how it ended; `line` gets each line of its output. */
export type RunClient = (
  plan: ClientPlan,
  line: (line: string) => void,
  signal: AbortSignal,
) => Promise<string>;

export interface ClientOptions {
  /** Shown in the report. */
  subject: string;
  run: RunClient;
  /** Default `http`. */
  transport?: 'http' | 'stdio' | undefined;
  /** Default `modern`. */
  era?: Era | undefined;
  /** How long the client may take for one run, in milliseconds. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Chunks in a flood. Default 5,000. */
  flood?: number | undefined;
  /** All scenarios in one run of the client: faster, but one that ends early takes the rest with it. */
  oneRun?: boolean | undefined;
}

const TIMEOUT_MS = 30_000;
const FLOOD = 5_000;

/** Puts a client through every check. */
export async function checkClient(options: ClientOptions): Promise<Report> {
  const scenarios = [
    optIn,
    order,
    gaps,
    duplicates,
    malformed,
    finalFlag,
    foreign,
    late,
    authority,
    volume({ flood: options.flood ?? FLOOD }),
  ];
  const verdicts = new Map<ClientCheckId, Verdict>();
  for (const group of options.oneRun ? [scenarios] : scenarios.map((scenario) => [scenario])) {
    for (const [id, verdict] of await runGroup(group, options)) verdicts.set(id, verdict);
  }
  return createReport('client', options.subject, CLIENT_CHECKS, verdicts);
}

async function runGroup(
  group: readonly Scenario[],
  options: ClientOptions,
): Promise<Array<[ClientCheckId, Verdict]>> {
  const { transport = 'http', era = 'modern', timeoutMs = TIMEOUT_MS } = options;
  const steps = group.flatMap((scenario) => scenario.steps);
  const server = createScriptedServer(new Map<string, Script>(steps.flatMap((step) => Object.entries(step))));
  const served = await (transport === 'http' ? serveHttp : serveStdio)(server);
  const plan: ClientPlan = {
    version: 1,
    era,
    ...served.target,
    steps: steps.map((step) =>
      Object.keys(step).map((call) => ({ call, tool: SCRIPTED_TOOL, arguments: { call } })),
    ),
  };
  const events: ClientEvent[] = [];
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const ending = await options.run(
      plan,
      (line) => {
        const event = parseEvent(line);
        if (event) events.push(event);
      },
      late.signal,
    );
    const outcome = createOutcome(
      events,
      server.calls,
      late.signal.aborted ? `stopped after ${timeoutMs} ms` : ending,
    );
    return group.flatMap((scenario) => judgeScenario(scenario, outcome));
  } finally {
    clearTimeout(timer);
    await served.close();
  }
}
