import { describe, expect, it } from 'vitest';
import { readCallContext } from './opt-in.ts';

const KEY = 'io.modelcontextprotocol/clientCapabilities';
const notify = async (): Promise<void> => {};

/** The same call as each SDK generation shows it to a handler. */
const generations = {
  v2: (meta: Record<string, unknown>) => {
    const { [KEY]: capabilities, ...rest } = meta;
    const envelope = KEY in meta ? { envelope: { [KEY]: capabilities } } : {};
    return { mcpReq: { _meta: rest, ...envelope, notify } };
  },
  v1: (meta: Record<string, unknown>) => ({ _meta: meta, sendNotification: notify }),
};

describe.each(Object.entries(generations))('SDK %s', (_name, context) => {
  const tokenOf = (meta: Record<string, unknown>) => readCallContext(context(meta))!.token;

  it.each(['t', '', 0, -1, 2 ** 53 - 1])('takes %j as a token', (token) => {
    expect(tokenOf({ [KEY]: { partialResults: {} }, partialResultToken: token })).toBe(token);
  });

  it.each([undefined, null, 1.5, Number.NaN, 2 ** 53, true, {}, ['t']])('takes %j for no token', (token) => {
    expect(tokenOf({ [KEY]: { partialResults: {} }, partialResultToken: token })).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    {},
    [],
    { partialResults: null },
    { partialResults: true },
    { partialresults: {} },
    'partialResults',
  ])('takes %j for no capability', (capabilities) => {
    expect(tokenOf({ [KEY]: capabilities, partialResultToken: 't' })).toBeUndefined();
  });

  it('ignores a capability inherited from a prototype of JSON', () => {
    const polluted = JSON.parse('{"__proto__":{"partialResults":{}}}') as object;
    expect(tokenOf({ [KEY]: polluted, partialResultToken: 't' })).toBeUndefined();
  });
});

it('sends with the right receiver', async () => {
  const request = {
    sent: [] as unknown[],
    async notify(notification: unknown) {
      this.sent.push(notification);
    },
  };
  await readCallContext({ mcpReq: request })!.notify({ method: 'm', params: {} });
  expect(request.sent).toEqual([{ method: 'm', params: {} }]);
});

it('reads the task a call runs as', () => {
  expect(readCallContext({ sendNotification: notify, taskId: 'T' })!.taskId).toBe('T');
  expect(readCallContext({ mcpReq: { notify }, task: { taskId: 'T' } })!.taskId).toBe('T');
  expect(readCallContext({ mcpReq: { notify } })!.taskId).toBeUndefined();
});

it('finds nothing in what is no context', () => {
  for (const value of [undefined, null, 1, [], {}, { mcpReq: {} }, { mcpReq: { notify: 'x' } }]) {
    expect(readCallContext(value)).toBeUndefined();
  }
});
