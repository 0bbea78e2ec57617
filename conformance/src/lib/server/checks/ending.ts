import { isToken } from '@mcp-apps-bridge/partial-results';
import { expectNone, failure, skipped, success, type Verdict, warning } from '../../report.ts';
import { partialParams } from '../../wire/message.ts';
import type { Frame } from '../../wire/peer.ts';
import { type Made, partialsOf } from '../calls.ts';
import type { ServerCheckId } from '../catalogue.ts';
import type { ServerRun } from '../run.ts';
import { allCalls } from './opt-in.ts';

type Verdicts = Array<[ServerCheckId, Verdict]>;

/** S8, S9, S10: when a stream ends and whose it is. Read off everything that came in the whole run. */
export function judgeEnding(run: ServerRun): Verdicts {
  const calls = allCalls(run);
  const partials = run.peer.frames.filter(({ message }) => partialParams(message) !== undefined);
  const none = partials.length === 0 ? skipped('no partial came') : undefined;
  return [
    [
      's9-nothing-after-response',
      none ??
        expectNone(
          calls.flatMap((call) => lateIn(run, call)),
          'none came late',
        ),
    ],
    [
      's9-on-the-requests-stream',
      run.peer.transport === 'stdio' ? skipped('stdio has one stream') : (none ?? judgeStreams(run, calls)),
    ],
    [
      's10-only-issued-tokens',
      none ??
        expectNone(
          partials.flatMap((frame) => foreign(frame, run)),
          'each is ours',
        ),
    ],
    ['s8-response-ends-the-call', judgeResponses(calls)],
    ['s8-final-is-the-last-chunk', judgeFinalFlag(run, calls)],
    ['s9-cancel-stops-partials', judgeCancel(run)],
  ];
}

function lateIn(run: ServerRun, call: Made): string[] {
  const { responseAt } = call.exchange;
  // The token of a task lives until the task has ended.
  if (call.token === undefined || responseAt === undefined || call.task !== undefined) return [];
  // Streams of different requests have no order between them; what is on the wrong one is told there.
  const own = new Set([`request ${call.exchange.id}`, 'session', 'stdio']);
  return partialsOf(run.peer, call)
    .filter(({ index, stream }) => index > responseAt && own.has(stream))
    .map(({ message }) => `seq ${JSON.stringify(partialParams(message)!['seq'])} came after the response`);
}

function judgeStreams(run: ServerRun, calls: readonly Made[]): Verdict {
  const problems = { failing: [] as string[], doubtful: [] as string[] };
  for (const call of calls.filter(({ token, task }) => token !== undefined && task === undefined)) {
    for (const { stream } of partialsOf(run.peer, call)) {
      if (stream === 'session') problems.doubtful.push('a partial came on the stream of the session');
      else if (stream !== `request ${call.exchange.id}`) {
        problems.failing.push('a partial came on the answer to another request');
      }
    }
  }
  return problems.failing.length > 0
    ? expectNone(problems.failing, '')
    : expectNone(problems.doubtful, 'each on its own', warning);
}

function foreign({ message }: Frame, run: ServerRun): string[] {
  const token = partialParams(message)!['partialResultToken'];
  return isToken(token) && run.issued.has(token) ? [] : [`a partial under ${JSON.stringify(token)}`];
}

function judgeResponses(calls: readonly Made[]): Verdict {
  return expectNone(
    calls.flatMap(({ exchange: { responses } }) => {
      if (responses === 1) return [];
      return [responses === 0 ? 'a call got no response' : `a call got ${responses} responses`];
    }),
    `${calls.length} calls, ${calls.length} responses`,
  );
}

function judgeFinalFlag(run: ServerRun, calls: readonly Made[]): Verdict {
  const streams = calls
    .filter((call) => call.optedIn)
    .map((call) =>
      partialsOf(run.peer, call)
        .filter(({ index }) => index < (call.exchange.responseAt ?? Infinity))
        .map(({ message }) => partialParams(message)!['final'] === true),
    );
  const flagged = streams.filter((flags) => flags.includes(true));
  if (flagged.length === 0) return skipped('no chunk had final: true');
  return expectNone(
    flagged
      .filter((flags) => flags.indexOf(true) < flags.length - 1)
      .map(() => 'a chunk followed one with final: true'),
    `in ${flagged.length} calls`,
    warning,
  );
}

function judgeCancel({ cancel }: ServerRun): Verdict {
  if (!cancel) return skipped('the call was not made');
  switch (cancel.kind) {
    case 'blind':
      return skipped('the cancel closed the stream that would show partials: check it over stdio');
    case 'silent':
      return skipped('the call sent no partial');
    case 'finished':
      return skipped('the call ended before it could be cancelled: name a longer one with --cancel-tool');
    default:
      return cancel.late === 0
        ? success('none came after it')
        : failure(`${cancel.late} partials came after the cancel had been read`);
  }
}
