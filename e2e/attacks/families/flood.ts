import { looted, script, type Attack, type Lab } from '../attack.ts';

/** The bridge without the bounds on what an app may send. */
const UNBOUNDED = { messagesPerSecond: 1e9, burst: 1e9, maxMessageBytes: 1e12, maxOpenRequests: 1e9 };

const send = (name: string, code: string, harm: Attack['harm']): Attack => ({
  name,
  app: () => script(`await handshake(); ${code}`),
  control: (lab) => lab.bridge({ traffic: UNBOUNDED }),
  guarded: (lab) => lab.bridge(),
  harm,
  alone: true,
});

const MESSAGES = 4_000;
const CALLS = 40;
const HANDSHAKES = 100;
const DEPTH = 500;

/** What the host keeps of a stream: what a view that opens late would be told. */
function measure(lab: Lab, call: ReturnType<Lab['stream']>): void {
  let seen = 0;
  const end = call.subscribe({
    chunk: (chunk) => void (seen += JSON.stringify(chunk).length),
  });
  end();
  lab.seen.kept = Math.max(lab.seen.kept, seen);
}

export const flood: readonly Attack[] = [
  send(
    'fill the conversation',
    `for (let n = 0; n < ${MESSAGES}; n++)
       send({ id: at.key + 'm' + n, method: 'ui/message', params: { role: 'user', content: [{ type: 'text', text: 'buy' }] } });`,
    ({ seen }) => seen.conversation.length >= MESSAGES,
  ),
  send(
    'fill the log',
    `for (let n = 0; n < ${MESSAGES}; n++) send({ method: 'notifications/message', params: { level: 'info', data: n } });`,
    ({ seen }) => seen.logs.length >= MESSAGES,
  ),
  send(
    'call a tool forty times at once',
    `for (let n = 0; n < ${CALLS}; n++)
       send({ id: at.key + 't' + n, method: 'tools/call', params: { name: 'tally', arguments: { key: at.key } } });`,
    async (lab) => (await lab.hits()).length >= CALLS,
  ),
  send(
    'send one message without measure',
    `send({ id: at.key + 'h', method: 'ui/message', params: { role: 'user', content: [{ type: 'text', text: 'x'.repeat(12_000_000) }] } });`,
    ({ seen }) => seen.conversation.length > 0,
  ),
  {
    name: 'begin the handshake again and again',
    app: () =>
      script(`
      launched();
      await wait(50);
      let answers = 0;
      for (let n = 0; n < ${HANDSHAKES}; n++) void handshake().then(() => say('answers:' + ++answers));`),
    control: async (lab) => lab.naive(),
    guarded: (lab) => lab.bridge(),
    harm: looted(`answers:${HANDSHAKES}`),
    alone: true,
  },
  {
    name: 'stream more than the host can keep',
    async control(lab) {
      lab.launched();
      const kept: unknown[] = [];
      await lab.rawStream({ kind: 'flood', size: 200_000, count: 60 }, (message) => {
        kept.push(message);
        lab.seen.kept += JSON.stringify(message).length;
      });
    },
    guarded(lab) {
      lab.launched();
      const call = lab.stream({ kind: 'flood', size: 200_000, count: 60 });
      const timer = setInterval(() => {
        if (call.status === 'streaming') measure(lab, call);
        else if (call.status !== 'waiting') clearInterval(timer);
      }, 100);
    },
    harm: ({ seen }) => seen.kept > 10_000_000,
    alone: true,
  },
  {
    name: 'send a view what is nested without end',
    app: () =>
      script(`
      const depth = (value) => { let n = 0; for (; value && typeof value === 'object'; value = value.nested) n++; return n; };
      addEventListener('message', ({ data }) => {
        if (data?.params?.structuredContent) say('depth:' + (depth(data.params.structuredContent) >= ${DEPTH}));
      });
      await handshake();`),
    async control(lab) {
      const frame = await lab.naive();
      const heard: unknown[] = [];
      await lab.rawStream({ kind: 'deep' }, (message) => void heard.push(message));
      /* Again and again, since the app may not be there yet. */
      for (let n = 0; n < 10; n++) {
        for (const params of heard)
          frame.contentWindow?.postMessage(
            { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params },
            '*',
          );
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    guarded: (lab) => lab.bridge({ call: lab.stream({ kind: 'deep' }) }),
    harm: looted('depth:true'),
  },
];
