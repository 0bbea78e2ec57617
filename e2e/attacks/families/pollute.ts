import { looted, script, type Attack, type Lab } from '../attack.ts';
import { naiveMerge } from '../host/naive-host.ts';

/** Keys that lead to a prototype, as own keys, which is how they arrive. */
const BAD = `JSON.parse('{"__proto__":{"' + at.key + '":1},"constructor":{"prototype":{"' + at.key + '":1}}}')`;

/** The same merge as the naive host's, for a view. */
const MERGE = `
  const merge = (target, source) => {
    for (const key of Object.keys(source)) {
      const [value, old] = [source[key], target[key]];
      if (value && old && typeof value === 'object' && /object|function/.test(typeof old)) merge(old, value);
      else target[key] = value;
    }
  };`;

const polluted = ({ place }: Lab): boolean => place.key in Object.prototype;

const by = (method: string, params: string, request = true, as = method): Attack => ({
  name: `by ${method}`,
  app: () =>
    script(`
    const [bad, more] = [${BAD}, ${BAD}];
    await handshake();
    send({ ${request ? `id: at.key + 'p', ` : ''}method: '${as}', params: ${params} });
    await wait(50);`),
  control: async (lab) => lab.naive(),
  guarded: (lab) => lab.bridge(),
  harm: polluted,
});

const attacks: readonly Attack[] = [
  {
    name: 'by ui/initialize',
    app: () =>
      script(`
      const bad = ${BAD};
      await handshake({ ...bad, appInfo: { name: 'a', version: '1', ...bad }, appCapabilities: { experimental: bad, ...bad },
        ['__proto__']: bad['__proto__'] });`),
    control: async (lab) => lab.naive(),
    guarded: (lab) => lab.bridge(),
    harm: polluted,
  },
  by('tools/call', `Object.assign(bad, { name: 'tally', arguments: more })`),
  by(
    'tools/call of a tool named as a prototype',
    `Object.assign(bad, { name: '__proto__', arguments: more })`,
    true,
    'tools/call',
  ),
  by('resources/read', `Object.assign(bad, { uri: 'ui://attacker/none/x' })`),
  by(
    'ui/message',
    `{ role: 'user', content: [{ type: 'text', text: 'x', _meta: bad }], inner: bad, ['__proto__']: bad['__proto__'] }`,
  ),
  by('ui/update-model-context', `{ structuredContent: bad, ['__proto__']: bad['__proto__'] }`),
  by('ui/open-link', `Object.assign(bad, { url: 'about:blank' })`),
  by('ui/request-display-mode', `Object.assign(bad, { mode: 'pip' })`),
  by('ui/notifications/size-changed', `Object.assign(bad, { height: 100 })`, false),
  by('notifications/message', `Object.assign(bad, { level: 'info', data: bad })`, false),
  by(
    'ui/notifications/tool-output-ack',
    `Object.assign(bad, { partialResultToken: 1, epoch: 0, seq: 0, counters: bad })`,
    false,
  ),
  by('a method named as a prototype', 'bad', false, '__proto__'),
  {
    name: 'by the chunks and result of a server, in the host',
    app: () => script('await handshake();'),
    async control(lab) {
      lab.launched();
      const heard: Record<string, Record<string, unknown> | undefined>[] = [];
      await lab.rawStream({ kind: 'pollution' }, (message) => void heard.push(message as never));
      const state = {};
      for (const { structuredContent, _meta } of heard) {
        naiveMerge(state, structuredContent ?? {});
        naiveMerge(state, _meta ?? {});
      }
    },
    guarded: (lab) => lab.bridge({ call: lab.stream({ kind: 'pollution' }) }),
    harm: polluted,
  },
  {
    name: 'by the chunks and result of a server, in a view that merges them',
    app: () =>
      script(`
      const state = {};
      ${MERGE}
      addEventListener('message', ({ data }) => {
        merge(state, data?.params?.structuredContent ?? {});
        merge(state, data?.params?._meta ?? {});
        if (at.key in Object.prototype) say('polluted');
      });
      await handshake();`),
    control: (lab) => lab.bridge({ call: lab.stream({ kind: 'pollution' }, true) }),
    guarded: (lab) => lab.bridge({ call: lab.stream({ kind: 'pollution' }) }),
    harm: looted('polluted'),
  },
];

/* A prototype is the whole page's, and its driver's too. */
export const pollute: readonly Attack[] = attacks.map((attack) => Object.assign(attack, { alone: true }));
