import { bridge, inFile } from './mutant-list.mjs';

/* The frame: policy, origins, proxy, messages. */

const policy = inFile(`${bridge}/sandbox/csp.ts`, `${bridge}/sandbox/csp.test.ts`, [
  ['csp: shape of a domain', 'else if (!source.test(entry))', 'else if (false)'],
  ['csp: number of domains', 'else if (kept.length >= maxEntries)', 'else if (false)'],
  ['csp: length of a domain', 'else if (entry.length > maxLength)', 'else if (false)'],
  ['csp: nothing by default', `"default-src 'none'",`, `"default-src *",`],
  ['csp: connections', 'connect.length > 0 ? connect : ["\'none\'"]', "connect.length > 0 ? connect : ['*']"],
  ['csp: frames', 'frame.length > 0 ? frame : ["\'none\'"]', "frame.length > 0 ? frame : ['*']"],
  ['csp: objects', `"object-src 'none'",`, ''],
  ['csp: base', 'baseUri.length > 0 ? baseUri : ["\'self\'"]', "baseUri.length > 0 ? baseUri : ['*']"],
  ['csp: forms', `"form-action 'none'",`, ''],
]);

const served = inFile(`${bridge}/sandbox/handler.ts`, `${bridge}/sandbox/handler.test.ts`, [
  ['sandbox: who may frame it', '; frame-ancestors ${host}`', '`'],
  [
    'sandbox: hosts it serves',
    ': hostOrigins.find((origin) => origin === asked);',
    ': (asked ?? undefined);',
  ],
  ['sandbox: length of the query', 'if (search.length > maxQuery) {', 'if (false) {'],
  ['sandbox: methods', "if (request.method !== 'GET' && request.method !== 'HEAD') {", 'if (false) {'],
  ['sandbox: declared domains are an object', 'if (declared === invalid) {', 'if (false) {'],
  ['sandbox: no sniffing', "'x-content-type-options': 'nosniff',", ''],
  ['sandbox: no referrer', "'referrer-policy': 'no-referrer',", ''],
]);

const where = [
  ...inFile(`${bridge}/frame/sandbox-url.ts`, `${bridge}/frame/sandbox-url.test.ts`, [
    ['sandbox: not on the origin of the host', 'if (url.origin === hostOrigin) {', 'if (false) {'],
  ]),
  ...inFile(`${bridge}/frame/pick-sandbox.ts`, `${bridge}/frame/pick-sandbox.test.ts`, [
    [
      'origin: not a shared one',
      'if (origin === hostOrigin || origin === new URL(settings.url).origin) {',
      'if (false) {',
    ],
    ['origin: of one app', 'owner.uri !== resource.uri || (known', 'false || (known'],
    ['origin: of one server', '(known !== undefined && known !== client)', 'false'],
  ]),
  ...inFile(`${bridge}/frame/view-frame.ts`, `${bridge}/frame/dedicated-origin.browser.test.ts`, [
    [
      'origin: says that it is dedicated',
      "if (options.dedicated && params['dedicated'] !== true) {",
      'if (false) {',
    ],
  ]),
  ...inFile(`${bridge}/frame/host-context.ts`, `${bridge}/frame/dedicated-origin.browser.test.ts`, [
    ['permissions: usable ones only', '(dedicated || usableWhenOpaque.has(name))', 'true'],
  ]),
  ...inFile(`${bridge}/frame/host-context.ts`, `${bridge}/frame/host-context.test.ts`, [
    ['permissions: allowed ones only', 'allowed.includes(name) &&', ''],
  ]),
  ...inFile(`${bridge}/frame/restrict-csp.ts`, `${bridge}/frame/app-view.browser.test.ts`, [
    ['csp: last word of the embedder', 'const allowed = allowDomain(value, list);', 'const allowed = true;'],
  ]),
];

const proxy = inFile(`${bridge}/sandbox/proxy-script.ts`, `${bridge}/sandbox/proxy.browser.test.ts`, [
  ['proxy: flags of the inner frame', '.filter((token) => grantable.has(token));', ';'],
  [
    'proxy: origin of the host',
    'if (event.origin === hostOrigin) fromHost(event.data);',
    'fromHost(event.data);',
  ],
  [
    'proxy: source of the view',
    'inner && event.source === inner.contentWindow && event.origin === innerOrigin',
    'inner',
  ],
  ['proxy: nonce of the port', "if (nonce !== '' && data['nonce'] === nonce && ports[0])", 'if (ports[0])'],
  ['proxy: one resource', 'method === resourceMethod && !settled &&', 'method === resourceMethod &&'],
  ['proxy: a second document', "if (loads > 1) lose('navigated');", 'if (false) lose("navigated");'],
  [
    'proxy: sandbox messages of the view',
    "} else if (port && !(typeof data['method'] === 'string' && data['method'].startsWith(prefix))) {",
    '} else if (port) {',
  ],
  [
    'proxy: policy in the document',
    'content="${parts.buildCsp(resource.csp).policy}"',
    'content="${String()}"',
  ],
]);

const channel = [
  ...inFile(`${bridge}/frame/frame-channel.ts`, `${bridge}/frame/frame-channel.test.ts`, [
    ['channel: source', 'if (event.source === null || event.source !== options.frame()) return;', ''],
    ['channel: origin', 'if (event.origin !== origin) {', 'if (false) {'],
    [
      'channel: shape',
      "if (problem !== undefined) return reject({ code: 'malformed', origin, message: problem });",
      '',
    ],
    ['channel: addressee', 'frame.postMessage(message, origin);', "frame.postMessage(message, '*');"],
  ]),
  ...inFile(`${bridge}/frame/gated-transport.ts`, `${bridge}/frame/gated-transport.test.ts`, [
    [
      'handshake: nothing before it',
      "if (open || typeof method !== 'string') return options.post(message);",
      'return options.post(message);',
    ],
    [
      'handshake: bounded wait',
      "if (held.length > maxHeld) options.onOverflow(String(held.shift()?.['method']));",
      '',
    ],
  ]),
  ...inFile(`${bridge}/frame/view-traffic.ts`, `${bridge}/frame/view-traffic.test.ts`, [
    ['traffic: messages', 'if (credit < cost) return false;', ''],
    [
      'traffic: size',
      'if (estimateSize(message, limits.maxMessageBytes) > limits.maxMessageBytes) {',
      'if (false) {',
    ],
    ['traffic: requests', 'if (open.size >= limits.maxOpenRequests) {', 'if (false) {'],
  ]),
  ...inFile(`${bridge}/frame/view-mount.ts`, `${bridge}/frame/view-limits.browser.test.ts`, [
    ['traffic: handshakes', 'if (++handshakes > maxHandshakes) {', 'if (false) {'],
  ]),
];

export const FRAME_MUTANTS = [...policy, ...served, ...where, ...proxy, ...channel];
