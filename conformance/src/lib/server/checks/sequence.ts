import { parsePartialToolResult } from '@mcp-apps-bridge/partial-results';
import { expectNone, failure, skipped, success, type Verdict, warning } from '../../report.ts';
import { type Message, partialParams } from '../../wire/message.ts';
import { type Made, partialsOf } from '../calls.ts';
import type { ServerCheckId } from '../catalogue.ts';
import type { CallName, ServerRun } from '../run.ts';
import { allCalls } from './opt-in.ts';

type Verdicts = Array<[ServerCheckId, Verdict]>;

/** S3 and the shape of what is sent. */
export function judgeSequence(run: ServerRun): Verdicts {
  const all = run.peer.frames.filter(({ message }) => partialParams(message) !== undefined);
  const streams = allCalls(run)
    .filter((call) => call.optedIn && !run.together.includes(call))
    .map((call) => numbersOf(run, call));
  const shape = all.length === 0 ? skipped('no partial came') : undefined;
  return [
    [
      'shape-valid-chunks',
      shape ??
        expectNone(
          all.flatMap(({ message }) => faultsOf(message)),
          `${all.length} well-formed partials`,
        ),
    ],
    [
      'shape-no-null-fields',
      shape ??
        expectNone(
          all.flatMap(({ message }) => nullsOf(message)),
          'none is null',
          warning,
        ),
    ],
    ['s3-seq-starts-at-zero', overStreams(streams, startsAtZero)],
    ['s3-seq-strictly-increasing', overStreams(streams, increases)],
    ['s3-independent-counters', judgeTogether(run)],
    ['s9-token-string', echoes(run, 'streamed')],
    ['s9-token-integer', echoes(run, 'integer')],
    ['s9-token-zero', echoes(run, 'zero')],
    ['s9-token-empty-string', echoes(run, 'empty')],
  ];
}

function numbersOf(run: ServerRun, call: Made): unknown[] {
  return partialsOf(run.peer, call).map(({ message }) => partialParams(message)!['seq']);
}

function faultsOf(message: Message): string[] {
  const faults: string[] = [];
  if (message['jsonrpc'] !== '2.0') faults.push('a partial without jsonrpc: "2.0"');
  if (message['id'] !== undefined) faults.push('a partial with an id, which makes it a request');
  const parsed = parsePartialToolResult(message['params']);
  if (!parsed.ok) faults.push(parsed.rejection.message);
  return faults;
}

function nullsOf(message: Message): string[] {
  return Object.entries(partialParams(message)!)
    .filter(([, value]) => value === null)
    .map(([key]) => `${key} is null`);
}

function overStreams(
  streams: readonly unknown[][],
  problemOf: (numbers: readonly unknown[]) => string | undefined,
): Verdict {
  const told = streams.filter((numbers) => numbers.length > 0);
  if (told.length === 0) return skipped('no partial came');
  const problems = told.map(problemOf).filter((problem) => problem !== undefined);
  return expectNone(problems, `in ${told.length} calls`);
}

function startsAtZero(numbers: readonly unknown[]): string | undefined {
  return numbers[0] === 0 ? undefined : `a call began at ${JSON.stringify(numbers[0])}`;
}

function increases(numbers: readonly unknown[]): string | undefined {
  const at = numbers.findIndex((seq, index) => index > 0 && !(Number(seq) > Number(numbers[index - 1])));
  return at < 0 ? undefined : `${JSON.stringify(numbers[at])} came after ${JSON.stringify(numbers[at - 1])}`;
}

function judgeTogether(run: ServerRun): Verdict {
  if (run.together.length === 0) return skipped('the calls were not made');
  const streams = run.together.map((call) => numbersOf(run, call));
  if (streams.every((numbers) => numbers.length === 0)) return skipped('no partial came');
  const empty = streams
    .filter((numbers) => numbers.length === 0)
    .map(() => 'a call got none of its partials');
  const wrong = streams
    .filter((numbers) => numbers.length > 0)
    .map((numbers) => startsAtZero(numbers) ?? increases(numbers))
    .filter((problem) => problem !== undefined);
  return expectNone([...empty, ...wrong], `${streams.length} calls in flight`);
}

function echoes(run: ServerRun, name: CallName): Verdict {
  const call = run.calls[name];
  if (!call) return skipped('the call was not made');
  const count = partialsOf(run.peer, call).length;
  if (count > 0) return success(`${count} partials under it`);
  // A server that streams to other tokens does stream.
  const streams = allCalls(run).some((other) => other.optedIn && partialsOf(run.peer, other).length > 0);
  return streams
    ? failure(`no partial came under the token ${JSON.stringify(call.token)}`)
    : skipped('no partial came');
}
