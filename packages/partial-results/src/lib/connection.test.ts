import { describe, expect, it } from 'vitest';
import {
  type CallObserver,
  type Connection,
  createConnection,
  type OpenCall,
  type SendOptions,
} from './connection.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

function observer(): CallObserver & { log: string[] } {
  const log: string[] = [];
  return {
    log,
    deliver: ({ seq }) => log.push(`chunk ${seq}`),
    report: (event) => log.push(event.type),
    attempt: (count) => log.push(`attempt ${count}`),
    progress: ({ progress }) => log.push(`progress ${progress}`) > 0,
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    cut: () => log.push('cut'),
    task: ({ taskId }) => log.push(`task ${taskId}`),
  };
}

type Meta = Record<string, unknown>;

/** Sends a request of the call and returns what left, with its token. */
function send(connection: Connection, call: OpenCall, id: unknown, meta: Meta = {}) {
  const message = {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 't', _meta: { ...meta, partialResultToken: call.key } },
  };
  const [sent, options] = connection.send(message, undefined) as [typeof message, SendOptions];
  return { sent, meta: sent.params._meta as Meta, token: sent.params._meta.partialResultToken, options };
}

const partial = (partialResultToken: unknown, seq = 0) => ({
  jsonrpc: '2.0',
  method: 'notifications/tools/partial_result',
  params: { partialResultToken, seq },
});
const response = (id: unknown, result: object = { content: [] }) => ({ jsonrpc: '2.0', id, result });

describe('opting in', () => {
  it('adds the capability to those the SDK sends on a modern connection', () => {
    const connection = createConnection();
    const own = { elicitation: { form: {} }, extensions: { x: {} } };
    const { meta } = send(connection, connection.open(observer()), 0, { [CAPABILITIES]: own, other: 1 });
    expect(meta[CAPABILITIES]).toEqual({ ...own, partialResults: {} });
    expect(meta['other']).toBe(1);
    expect(own).not.toHaveProperty('partialResults');
  });

  it('sends that capability alone on a legacy connection', () => {
    const connection = createConnection();
    const { meta, token } = send(connection, connection.open(observer()), 0);
    expect(meta).toEqual({ [CAPABILITIES]: { partialResults: {} }, partialResultToken: token });
  });

  it('passes on, as the same object, every message that is not a call of ours', () => {
    const connection = createConnection();
    connection.open(observer());
    const options = {};
    const others = [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 't', _meta: { partialResultToken: 'theirs' } },
      },
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      response(3),
      null,
      'text',
      [],
    ];
    for (const message of others) {
      const [sent, sentOptions] = connection.send(message, options);
      expect(sent).toBe(message);
      expect(sentOptions).toBe(options);
    }
  });
});

describe('tokens', () => {
  it('belong to one attempt; the next one gets its own', () => {
    const connection = createConnection();
    const seen = observer();
    const call = connection.open(seen);
    const first = send(connection, call, 0);
    connection.receive(partial(first.token));
    connection.receive(response(0, { resultType: 'input_required', inputRequests: {} }));
    connection.receive(partial(first.token, 1));
    const second = send(connection, call, 1);
    connection.receive(partial(second.token));
    expect(second.token).not.toBe(first.token);
    expect(seen.log).toEqual([
      'attempt 1',
      'chunk 0',
      'pause',
      'retired_token',
      'resume',
      'attempt 2',
      'chunk 0',
    ]);
  });

  it('retire with the response itself, whatever the SDK does with it', () => {
    const connection = createConnection();
    const seen = observer();
    const { token } = send(connection, connection.open(seen), 'id');
    expect(connection.receive(response('id'))).toBe(false);
    expect(connection.receive(partial(token))).toBe(true);
    expect(seen.log).toEqual(['attempt 1', 'retired_token']);
  });

  it('retire with an error response and with the end of the call', () => {
    const connection = createConnection();
    const seen = observer();
    const failed = send(connection, connection.open(seen), 1);
    connection.receive({ jsonrpc: '2.0', id: 1, error: { code: -1, message: '' } });
    connection.receive(partial(failed.token));
    const call = connection.open(seen);
    const closed = send(connection, call, 2);
    call.close();
    call.close();
    connection.receive(partial(closed.token));
    expect(seen.log).toEqual(['attempt 1', 'retired_token', 'attempt 1', 'retired_token']);
    // A message under the old key opts nothing in any more.
    expect(send(connection, call, 3).token).toBe(call.key);
  });

  it('are not touched by the response to another request', () => {
    const connection = createConnection();
    const seen = observer();
    const { token } = send(connection, connection.open(seen), 1);
    connection.receive(response(2));
    connection.receive(response('1'));
    connection.receive(partial(token));
    expect(seen.log).toEqual(['attempt 1', 'chunk 0']);
  });
});

it('takes only notifications: a request of that name goes on to the SDK', () => {
  const connection = createConnection();
  const seen = observer();
  const { token } = send(connection, connection.open(seen), 1);
  expect(connection.receive({ ...partial(token), id: 5 })).toBe(false);
  for (const noise of [null, undefined, 5, 'x', [], {}]) expect(connection.receive(noise)).toBe(false);
  expect(seen.log.filter((line) => line.startsWith('chunk'))).toEqual([]);
});

describe('progress', () => {
  const progress = (params: unknown) => ({ jsonrpc: '2.0', method: 'notifications/progress', params });

  it('of a call in flight is handed on at once, and not to the SDK as well', () => {
    const connection = createConnection();
    const seen = observer();
    send(connection, connection.open(seen), 0, { progressToken: 0 });
    expect(connection.receive(progress({ progressToken: 0, progress: 1, total: 2 }))).toBe(true);
    expect(seen.log).toEqual(['attempt 1', 'progress 1']);
  });

  it('of any other call is left alone', () => {
    const connection = createConnection();
    const seen = observer();
    send(connection, connection.open(seen), 0, { progressToken: 0 });
    send(connection, connection.open(seen), 1);
    for (const params of [
      { progressToken: 1, progress: 1 },
      { progressToken: 0 },
      { progressToken: '0', progress: 1 },
      null,
    ]) {
      expect(connection.receive(progress(params))).toBe(false);
    }
    connection.receive(response(0));
    expect(connection.receive(progress({ progressToken: 0, progress: 1 }))).toBe(false);
    expect(seen.log).toEqual(['attempt 1', 'attempt 1']);
  });
});

describe('a question of the server on a legacy connection', () => {
  const ask = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'elicitation/create', params: {} });

  it('stops the idle clock of every call until it is answered', () => {
    const connection = createConnection();
    const [a, b] = [observer(), observer()];
    connection.open(a);
    connection.open(b);
    expect(connection.receive(ask(7))).toBe(false);
    connection.receive(ask(8));
    connection.send(response(7), undefined);
    expect([a.log, b.log]).toEqual([['pause'], ['pause']]);
    connection.send({ jsonrpc: '2.0', id: 8, error: { code: -1, message: 'no' } }, undefined);
    expect([a.log, b.log]).toEqual([
      ['pause', 'resume'],
      ['pause', 'resume'],
    ]);
  });

  it('stops the clock of a call that begins meanwhile, also while it is sent', () => {
    const connection = createConnection();
    connection.receive(ask(7));
    const early = observer();
    const call = connection.open(early);
    expect(early.log).toEqual(['pause']);
    send(connection, call, 1);
    connection.receive(ask(8));
    const late = observer();
    connection.open(late);
    connection.send(response(7), undefined);
    expect([early.log, late.log]).toEqual([['pause', 'attempt 1'], ['pause']]);
    connection.send(response(8), undefined);
    expect([early.log, late.log]).toEqual([
      ['pause', 'attempt 1', 'resume'],
      ['pause', 'resume'],
    ]);
  });

  it('and one in place of a result are two: the clock goes on when both are answered', () => {
    const connection = createConnection();
    const seen = observer();
    const call = connection.open(seen);
    send(connection, call, 1);
    connection.receive(ask(7));
    connection.receive(response(1, { resultType: 'input_required' }));
    connection.send(response(7), undefined);
    expect(seen.log).toEqual(['attempt 1', 'pause']);
    send(connection, call, 2);
    expect(seen.log).toEqual(['attempt 1', 'pause', 'resume', 'attempt 2']);
  });

  it('is over when it is withdrawn', () => {
    const connection = createConnection();
    const seen = observer();
    connection.open(seen);
    connection.receive(ask(7));
    const withdrawn = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect(connection.receive(withdrawn)).toBe(false);
    expect(seen.log).toEqual(['pause', 'resume']);
  });

  it('is remembered up to a cap, and never on a modern connection, where nobody answers', () => {
    const connection = createConnection();
    const seen = observer();
    connection.open(seen);
    for (let id = 0; id < 1000; id++) connection.receive(ask(id));
    for (let id = 0; id < 64; id++) connection.send(response(id), undefined);
    expect(seen.log).toEqual(['pause', 'resume']);

    const modern = createConnection();
    const other = observer();
    send(modern, modern.open(other), 0, { [CAPABILITIES]: {} });
    modern.receive(ask(1));
    expect(other.log).toEqual(['attempt 1']);
  });
});

describe('a call that takes no chunks', () => {
  it('is watched all the same, and leaves as it came', () => {
    const connection = createConnection();
    const seen = observer();
    const call = connection.open(seen, { optIn: false });
    const bare = {
      id: 1,
      method: 'tools/call',
      params: { name: 't', _meta: { partialResultToken: call.key } },
    };
    expect(connection.send(bare, undefined)[0]).toEqual({
      id: 1,
      method: 'tools/call',
      params: { name: 't' },
    });
    connection.receive(response(1, { resultType: 'input_required' }));
    const { sent, options } = send(connection, call, 2, { progressToken: 2, own: 1 });
    expect(sent.params._meta).toEqual({ progressToken: 2, own: 1 });
    connection.receive({ method: 'notifications/progress', params: { progressToken: 2, progress: 1 } });
    options.onRequestStreamEnd!();
    connection.receive(response(2, { task: { taskId: 'T' } }));
    expect(seen.log).toEqual(['attempt 1', 'pause', 'resume', 'attempt 2', 'progress 1', 'cut', 'task T']);
    expect(connection.counters.delivered).toBe(0);
  });
});

it('counts what still comes for a call that went on as a task apart from what is late', () => {
  const connection = createConnection();
  const seen = observer();
  const { token } = send(connection, connection.open(seen), 1);
  connection.receive(response(1, { resultType: 'task', taskId: 'T' }));
  expect(connection.receive(partial(token, 4))).toBe(true);
  expect(seen.log).toEqual(['attempt 1', 'task T', 'task_chunk']);
  expect(connection.counters).toMatchObject({ taskChunk: 1, retiredToken: 0, delivered: 0 });
});

describe('the end of a response stream', () => {
  it('cuts a call that has no response yet, after whoever else asked to know', () => {
    const connection = createConnection();
    const seen = observer();
    const call = connection.open(seen);
    const theirs = { onRequestStreamEnd: () => seen.log.push('theirs') };
    const message = { id: 1, method: 'tools/call', params: { _meta: { partialResultToken: call.key } } };
    const [, options] = connection.send(message, { ...theirs, headers: { x: 1 } });
    expect(options).toMatchObject({ headers: { x: 1 } });
    options!.onRequestStreamEnd!();
    expect(seen.log).toEqual(['attempt 1', 'theirs', 'cut']);
  });

  it('means nothing after the response', () => {
    const connection = createConnection();
    const seen = observer();
    const { options } = send(connection, connection.open(seen), 1);
    connection.receive(response(1));
    options.onRequestStreamEnd!();
    expect(seen.log).toEqual(['attempt 1']);
  });
});

it.each<[string, object, string | undefined]>([
  ['flat, of the extension', { resultType: 'task', taskId: 'T', status: 'working' }, 'T'],
  ['nested under a result type', { resultType: 'task', task: { taskId: 'T' } }, 'T'],
  ['nested, of 2025-11-25', { task: { taskId: 'T', status: 'working' } }, 'T'],
  ['no handle: a result that has a task', { content: [], task: { taskId: 'T' } }, undefined],
  ['no handle: no id', { resultType: 'task' }, undefined],
  ['no handle: a complete result', { resultType: 'complete', content: [], taskId: 'T' }, undefined],
])('knows a task handle: %s', (_what, result, taskId) => {
  const connection = createConnection();
  const seen = observer();
  send(connection, connection.open(seen), 1);
  connection.receive(response(1, result));
  expect(seen.log.slice(1)).toEqual(taskId === undefined ? [] : [`task ${taskId}`]);
});
