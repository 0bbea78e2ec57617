import { expectNone, skipped } from '../../report.ts';
import { callsWith } from '../outcome.ts';
import { resultFor, type Scenario } from '../scenario.ts';
import type { Script, ScriptedCall } from '../scripted-server.ts';

const text = (value: string): object[] => [{ type: 'text', text: value }];

/** Tokens that a careless client might take for its own. */
function foreignTokens({ token, id, meta }: ScriptedCall): unknown[] {
  const guesses = ['tool-call-7', 0, '', id, meta['progressToken'], `${String(token)}x`, null, undefined, {}];
  return guesses.filter((guess) => guess !== token && guess !== twin(token));
}

/** The token as the other type; `undefined` where it has none. */
function twin(token: unknown): unknown {
  if (typeof token === 'number') return String(token);
  return typeof token === 'string' && /^\d{1,15}$/.test(token) && String(Number(token)) === token
    ? Number(token)
    : undefined;
}

const foreignScript: Script = (call) => {
  call.chunk(0);
  for (const partialResultToken of foreignTokens(call)) {
    for (const seq of [0, 1]) call.partial({ partialResultToken, seq, content: text('not yours') });
  }
  call.chunk(1);
  call.finish(resultFor(call.name));
};

const twinScript: Script = (call) => {
  const partialResultToken = twin(call.token);
  if (partialResultToken !== undefined)
    call.partial({ partialResultToken, seq: 0, content: text('of the other type') });
  call.chunk(0);
  call.finish(resultFor(call.name));
};

/** S10: tokens that were never issued. */
export const foreign: Scenario = {
  name: 'foreign tokens',
  steps: [{ foreign: foreignScript, 'twin-token': twinScript }],
  checks: ['s10-foreign-token-ignored', 's10-token-type-matters'],
  needsChunks: true,
  judge(outcome) {
    const problems = (call: string, marker: string): string[] => [
      ...callsWith(outcome, [call], marker).map(() => `a chunk was applied that is ${marker}`),
      ...outcome.problemsWith(call),
    ];
    return [
      ['s10-foreign-token-ignored', expectNone(problems('foreign', 'not yours'), 'none was applied')],
      [
        's10-token-type-matters',
        twin(outcome.seen.get('twin-token')!.token) === undefined
          ? skipped('the token of this client does not look like a number')
          : expectNone(problems('twin-token', 'of the other type'), 'it is not'),
      ],
    ];
  },
};

/** When the second call comes in the client is known to have the first one's result. */
const afterwards: Script = async (call, server) => {
  const ended = await server.arrival('ended');
  for (const seq of [2, 3]) {
    call.partial({ partialResultToken: ended.token, seq, content: text('too late') });
  }
  call.chunk(0);
  call.finish(resultFor(call.name));
};

const ended: Script = (call) => {
  call.chunk(0);
  call.chunk(1);
  call.finish(resultFor(call.name));
};

/** S9, S10: a token whose call has ended. */
export const late: Scenario = {
  name: 'late token',
  steps: [{ ended }, { afterwards }],
  checks: ['s10-late-token-ignored'],
  needsChunks: true,
  judge(outcome) {
    if (outcome.seen.get('ended')!.token === outcome.seen.get('afterwards')!.token) {
      return [['s10-late-token-ignored', skipped('the client uses one token for all')]];
    }
    const events = outcome.events('ended').map(({ event }) => event);
    const after = events.lastIndexOf('applied') > events.indexOf('final');
    return [
      [
        's10-late-token-ignored',
        expectNone(
          [
            ...callsWith(outcome, ['ended', 'afterwards'], 'too late').map((call) => `${call} applied it`),
            ...(after ? ['a chunk was applied after the result'] : []),
            ...outcome.problemsWith('afterwards'),
          ],
          'none was applied',
        ),
      ],
    ];
  },
};
