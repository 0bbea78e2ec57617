import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { failure, skipped, success, type Verdict, warning } from '../../report.ts';
import { type Message, partialParams } from '../../wire/message.ts';
import { describe } from '../../wire/peer.ts';
import { essence, partialsOf, resultOf } from '../calls.ts';
import type { ServerRun } from '../run.ts';

/** A final with less than this part of what was streamed is probably no whole. */
const SUSPICIOUS_PART = 0.25;

/**
 * S7. Only a fixed fixture can tell that a final is whole. Without one: the final of a call that
 * streamed against that of one that did not, and a look at their size. The message says which.
 */
export function judgeFinal(run: ServerRun, expected: Message | undefined): Verdict {
  const { plain, streamed, plainAgain } = run.calls;
  if (!streamed || !plain) return skipped('the call was not made');
  const final = resultOf(streamed);
  if (!final) return failure(`the opted-in call got ${describe(streamed.exchange.response)}`);
  const partials = partialsOf(run.peer, streamed).map(({ message }) => partialParams(message)!);
  const got = essence(final);
  const baseline = resultOf(plain);

  if (expected) {
    const wanted = essence(expected);
    if (!isDeepStrictEqual(got, wanted))
      return failure(`fixture: the final of a streaming call is ${brief(got)}, not ${brief(wanted)}`);
    if (baseline && !isDeepStrictEqual(essence(baseline), wanted)) {
      return failure(`fixture: the final of a call without partials is ${brief(essence(baseline))}`);
    }
    return success('fixture: the final is the expected one, with partials and without');
  }

  if (isEmpty(got) && partials.some((params) => !isEmpty(params))) {
    return failure('the final is empty, its content was only in the partials');
  }
  if (!baseline) return skipped(`a call without opt-in got ${describe(plain.exchange.response)}`);
  const again = plainAgain && resultOf(plainAgain);
  if (again && !isDeepStrictEqual(essence(again), essence(baseline))) {
    return warning(
      'the tool answers differently each time: give --expect with arguments that fix its answer',
    );
  }
  if (!isDeepStrictEqual(got, essence(baseline))) {
    return failure(
      `baseline: with partials the final is ${brief(got)}, without them ${brief(essence(baseline))}`,
    );
  }
  const streamedChars = charsOf(partials.map(({ content }) => content));
  if (charsOf(got) < streamedChars * SUSPICIOUS_PART) {
    return warning(
      `baseline: equal, but much smaller than what was streamed (${charsOf(got)} of ${streamedChars} characters); give --expect`,
    );
  }
  return success('baseline: equal to the final of a call without partials, and not suspiciously small');
}

function isEmpty(body: Message): boolean {
  const { content, structuredContent } = body;
  const blocks = Array.isArray(content) ? content : [];
  return structuredContent == null && blocks.every((block) => isPlainObject(block) && block['text'] === '');
}

function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, child) => sum + charsOf(child), 0);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
