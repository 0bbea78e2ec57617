import { looted, script, SECRET, type Attack, type Lab } from '../attack.ts';
import { LAUNCHED, LOOT } from '../kit.ts';

const bare = async (lab: Lab): Promise<unknown> => lab.bare();
const bridge = (lab: Lab): unknown => lab.bridge();
/** An inner frame that shares the proxy's origin, as many hosts build it. */
const sameOrigin = (lab: Lab): unknown =>
  lab.bridge({ sandbox: { url: `${lab.place.near}/naive?inner=allow-scripts+allow-same-origin` } });

const near = (lab: Lab): unknown => lab.bridge({ sandbox: { url: lab.place.near } });

/** Tries an expression on every window above and beside this one. */
const fromEveryWindow = (expression: string): string =>
  script(`
  const windows = new Set([parent, top, parent.parent, opener, ...Array.from({ length: top.length }, (_, i) => top[i])]);
  for (const w of windows) {
    if (!w || w === window) continue;
    const got = await attempt(() => ${expression});
    if (got !== undefined) say(got);
  }`);

/** Tries an expression in the app's own window. */
const here = (expression: string): string =>
  script(`
  const got = await attempt(async () => ${expression});
  if (got !== undefined) say(got);`);

const database = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('secrets');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const got = opening.result.transaction('secrets').objectStore('secrets').get('secret');
    got.onsuccess = () => { opening.result.close(); resolve(got.result); };
    got.onerror = () => reject(got.error);
  };
})`;

const grab = (
  name: string,
  body: string,
  secret: string,
  control: Attack['control'],
  more: Partial<Attack> = {},
): Attack => ({
  name,
  app: () => body,
  control,
  guarded: bridge,
  harm: looted(secret),
  ...more,
});

const ofHost = (name: string, expression: string): Attack =>
  grab(`read ${name} of the host page`, fromEveryWindow(expression), SECRET.host, bare);

const ofProxy = (name: string, expression: string, more: Partial<Attack> = {}): Attack =>
  grab(`read ${name} of the sandbox’s origin`, here(expression), SECRET.proxy, sameOrigin, {
    guarded: near,
    ...more,
  });

export const reach: readonly Attack[] = [
  ofHost('the DOM', 'w.document.body.innerText'),
  ofHost('the DOM by frameElement', 'w && frameElement.ownerDocument.body.innerText'),
  ofHost('the cookies', 'w.document.cookie'),
  ofHost('localStorage', `w.localStorage.getItem('secret')`),
  ofHost('sessionStorage', `w.sessionStorage.getItem('secret')`),
  grab(
    'read the IndexedDB of the host page by a window above',
    script(`
    for (const w of [parent, top]) {
      const got = await attempt(() => { const indexedDB = w.indexedDB; return ${database}; });
      if (got !== undefined) say(got);
    }`),
    SECRET.host,
    bare,
  ),
  {
    name: 'change the DOM of the host page',
    app: ({ key }) =>
      script(`
      for (const w of new Set([parent, top, parent.parent])) await attempt(() => {
        w.document.getElementById('secret').setAttribute('data-${key}', 'owned');
      });`),
    control: bare,
    guarded: bridge,
    harm: ({ place }) => document.getElementById('secret')!.hasAttribute(`data-${place.key}`),
  },
  {
    name: 'define a property on the host page’s window',
    app: ({ key }) =>
      script(
        `for (const w of new Set([parent, top, parent.parent])) await attempt(() => { w['${key}'] = 1; });`,
      ),
    control: bare,
    guarded: bridge,
    harm: ({ place }) => place.key in window,
  },
  ofProxy('the cookies', 'document.cookie'),
  ofProxy('localStorage', `localStorage.getItem('secret')`),
  ofProxy('IndexedDB', database),
  ofProxy('localStorage by the frame above', `parent.localStorage.getItem('secret')`),
  grab(
    'read the DOM of the proxy page',
    here(`'dom:' + parent.document.documentElement.outerHTML`),
    'dom:',
    sameOrigin,
    { guarded: near },
  ),
  {
    name: 'change the DOM of the proxy page',
    app: () => here(`(parent.document.title = 'owned', parent.document.title)`),
    control: sameOrigin,
    guarded: near,
    harm: looted('owned'),
  },
  {
    name: 'remove its own sandbox attribute and start anew',
    app: ({ key }) => {
      const loot = JSON.stringify({ method: LOOT, params: { key, loot: 'unsandboxed' } });
      const next = `<script>if (!frameElement.hasAttribute('sandbox')) top.postMessage(${loot}, '*')</script>`;
      return script(`
        const element = frameElement ?? parent.document.querySelector('iframe');
        element.removeAttribute('sandbox');
        element.srcdoc = ${JSON.stringify(next).replaceAll('<', '\\u003c')};`);
    },
    control: sameOrigin,
    guarded: near,
    harm: looted('unsandboxed'),
  },
  {
    name: 'give its own frame allow-same-origin',
    app: () =>
      script(`
      const element = frameElement ?? parent.document.querySelector('iframe');
      element.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-top-navigation');
      say(element.getAttribute('sandbox'));`),
    control: sameOrigin,
    guarded: near,
    harm: looted('allow-top-navigation'),
  },
  {
    name: 'be loosened by a sandbox field the server sends',
    app: () => script(`say(self.origin === 'null' ? 'opaque' : 'origin:' + self.origin);`),
    meta: () => ({
      sandbox: 'allow-scripts allow-same-origin allow-top-navigation allow-popups',
      permissions: { sandbox: 'allow-same-origin' },
    }),
    control: (lab) => driveProxy(lab, `${lab.place.sandbox}/naive`),
    guarded: bridge,
    harm: looted('origin:'),
  },
  {
    name: 'be loosened by a sandbox field that the host passes on',
    control: (lab) => driveProxy(lab, `${lab.place.sandbox}/naive`),
    guarded: (lab) => driveProxy(lab, `${lab.place.sandbox}/?host=${encodeURIComponent(location.origin)}`),
    harm: looted('origin:'),
  },
];

/** Hands a view to a proxy as a host that passes on whatever the server sends. */
function driveProxy(lab: Lab, url: string): void {
  const { key } = lab.place;
  const sandbox = 'allow-scripts allow-same-origin allow-top-navigation allow-popups';
  const said = (method: string, loot: string): string =>
    `parent.postMessage({ jsonrpc: '2.0', method: '${method}', params: { key: '${key}', loot: ${loot} } }, '*');`;
  const html =
    `<script>${said(LOOT, `self.origin === 'null' ? 'opaque' : 'origin:' + self.origin`)}` +
    `${said(LAUNCHED, `''`)}</script>`;
  const frame = lab.frame({ sandbox: 'allow-scripts allow-same-origin allow-forms', src: url });
  addEventListener('message', ({ source, data }: MessageEvent<{ method?: string } | null>) => {
    if (source !== frame.contentWindow || data?.method !== 'ui/notifications/sandbox-proxy-ready') return;
    const params = { html, sandbox };
    const message = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params };
    frame.contentWindow!.postMessage(message, lab.place.sandbox);
  });
}
