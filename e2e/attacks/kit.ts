import type { Place } from './attack.ts';

/** Methods by which attacking code tells the page how far it got. They say nothing about a guard. */
export const LAUNCHED = 'attack/launched';
export const LOOT = 'attack/loot';

/** What the scripts of an app can use. */
const KIT = `
  let lastError;
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const launched = () => send({ method: '${LAUNCHED}', params: { key: at.key } });
  const say = (loot) => send({ method: '${LOOT}', params: { key: at.key, loot: String(loot) } });
  const out = (via, file = 'a.gif') => at.collector + '/' + at.key + '/' + via + '/' + file;
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const attempt = async (run) => { try { return await run(); } catch (error) { lastError = error; } };
  const waiting = new Map();
  let requests = 0;
  const ask = (method, params) => new Promise((resolve) => {
    const id = at.key + '-' + requests++;
    waiting.set(id, resolve);
    send({ id, method, params });
  });
  addEventListener('message', ({ data }) => waiting.get(data?.method ? undefined : data?.id)?.(data));
  const handshake = async (extra = {}) => {
    await ask('ui/initialize', {
      protocolVersion: '2026-01-26', appInfo: { name: 'attacker', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen', 'pip'] }, ...extra,
    });
    send({ method: 'ui/notifications/initialized' });
  };
`;

const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** An attacking app. */
export const appHtml = (place: Place, body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><script>const at = ${json(place)};${KIT}</script></head>` +
  `<body>${body}</body></html>`;
