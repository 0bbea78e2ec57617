/*
 * Every guard between server, view and host page, and the change that switches it off. `scripts/mutants.mjs`
 * runs the tests named here once per entry; at least one must fail.
 */

/** @typedef {import('./mutant-plugin.mjs').Mutant} Mutant */

const bridge = 'packages/host-bridge/src/lib';
const runtime = 'packages/app-runtime/src/lib';
const partial = 'packages/partial-results/src/lib';

/**
 * Guards of one file, each `[name, text, text without the guard]`, noticed by the same tests.
 * @param {string} file
 * @param {string | readonly string[]} tests
 * @param {readonly [string, string, string][]} guards
 * @returns {Mutant[]}
 */
function inFile(file, tests, guards) {
  const list = typeof tests === 'string' ? [tests] : tests;
  const project = list.some((test) => test.includes('.browser.')) ? 'browser' : 'unit';
  return guards.map(([id, find, replace]) => ({ id, file, find, replace, project, tests: list }));
}

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
  ...inFile(`${bridge}/frame/host-context.ts`, `${bridge}/frame/app-view.browser.test.ts`, [
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

const asked = [
  ...inFile(`${bridge}/frame/open-link.ts`, `${bridge}/frame/open-link.test.ts`, [
    [
      'link: scheme',
      "if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return undefined;",
      '',
    ],
    [
      'link: user information',
      "return parsed.username === '' && parsed.password === '' ? parsed : undefined;",
      'return parsed;',
    ],
    ['link: length', 'url.length > 8192 ||', ''],
  ]),
  ...inFile(`${bridge}/frame/visibility.ts`, `${bridge}/frame/visibility.test.ts`, [
    [
      'tools: visibility',
      'return Array.isArray(visibility) && visibility.includes(audience);',
      'return true;',
    ],
  ]),
  ...inFile(`${bridge}/frame/host-requests.ts`, `${bridge}/frame/app-view.browser.test.ts`, [
    ['tools: of this server', "if (!tool) throw refusal(method, 'unknown_tool', name);", ''],
    [
      'tools: for apps',
      "if (!isToolVisibleTo(tool, 'app')) throw refusal(method, 'not_visible_to_app', name);",
      '',
    ],
    [
      'tools: consent',
      '(await ask(method, () => allowToolCall({ name, arguments: args, tool }))) !== true',
      'false',
    ],
    ['link: consent', "if (answer !== true && answer !== 'handled') {", 'if (false) {'],
    ['message: consent', 'if (accepted !== true) {', 'if (false) {'],
    ['display mode: offered', 'if (!displayMode || !options.offersMode(mode)) {', 'if (!displayMode) {'],
    [
      'teardown: consent',
      'if (agreed === true) options.onTeardownGranted();',
      'options.onTeardownGranted(); if (false) return;',
    ],
  ]),
  ...inFile(`${bridge}/frame/downloads.ts`, `${bridge}/frame/downloads.test.ts`, [
    ['download: consent', "if (answer !== true) return refused('declined');", ''],
    ['download: number', 'if (i === MAX_FILES) return', 'if (false) return'],
  ]),
  ...inFile(`${bridge}/frame/file-name.ts`, `${bridge}/frame/file-name.test.ts`, [
    ['download: hidden characters', ".replace(INVISIBLE, '')", ''],
    ['download: path', ".replace(MEANINGFUL, '_')", ''],
    ['download: devices', 'RESERVED.test(clean) ? `_${clean}` : clean', 'clean'],
  ]),
  ...inFile(`${bridge}/frame/sampling.ts`, `${bridge}/frame/sampling.test.ts`, [
    ['sampling: one at a time', "if (busy) return { refused: 'busy' };", ''],
    ['sampling: how often', "if (times.length >= MAX_PER_MINUTE) return { refused: 'too_often' };", ''],
    ['sampling: tokens', 'Math.min(Math.max(asked, 1), MAX_TOKENS)', 'asked'],
  ]),
  ...inFile(`${bridge}/frame/view-tools.ts`, `${bridge}/frame/view-tools.test.ts`, [
    ['view tools: consent', 'if (!(await allowed(tool, args))) {', 'if (false) {'],
    ['view tools: number', 'if (tool && tools.size < MAX_TOOLS)', 'if (tool)'],
    [
      'view tools: names',
      "typeof item['name'] !== 'string' || !NAME.test(item['name'])",
      "typeof item['name'] !== 'string'",
    ],
  ]),
  ...inFile(`${bridge}/frame/tool-directory.ts`, `${bridge}/frame/tool-directory.test.ts`, [
    ['tools: one listing', 'scheduler.now() - listedAt >= restMs', 'true'],
  ]),
  ...inFile(`${bridge}/frame/sizer.ts`, `${bridge}/frame/sizer.test.ts`, [
    [
      'size: a finite number',
      "if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {",
      'if (false) {',
    ],
    [
      'size: limits',
      'const next = Math.min(Math.max(Math.ceil(value), limits.minHeight), limits.maxHeight);',
      'const next = Math.ceil(value);',
    ],
  ]),
  ...inFile(`${bridge}/frame/ui-resource.ts`, `${bridge}/frame/ui-resource.test.ts`, [
    ['view: scheme', 'if (!uri.startsWith(scheme)) {', 'if (false) {'],
    ['view: media type', "if (typeof given !== 'string' || !mimeType.test(given)) {", 'if (false) {'],
    ['view: valid UTF-8', '{ fatal: true }', '{ fatal: false }'],
  ]),
];

const sanitizer = [
  ...inFile(`${bridge}/stream/sanitize/blocks.ts`, `${bridge}/stream/sanitize/sanitizer.test.ts`, [
    ['block: known types', 'if (rules.blockTypes.has(block.type)) return block;', 'return block;'],
    [
      'block: type of media',
      'if (!essence?.startsWith(`${block.type}/`) || !rules.mediaTypes.has(essence)) {',
      'if (false) {',
    ],
    ['block: base64 of media', 'if (!isBase64(block.data)) {', 'if (false) {'],
    ['block: markup in media', 'if (!isActiveMarkup(essence) && holdsMarkup(block.data)) {', 'if (false) {'],
    ['block: schemes', 'else if (isResourceUri(uri, rules.uriSchemes)) return true;', 'else return true;'],
    ['block: fragments of HTML', 'if (!context.whole) {', 'if (false) {'],
    ['block: base64 of a resource', 'if (isBase64(resource.blob)) return block;', 'return block;'],
  ]),
  ...inFile(`${bridge}/stream/sanitize/sanitizer.ts`, `${bridge}/stream/sanitize/sanitizer.test.ts`, [
    ['chunk: number of blocks', 'i < blocks.length && i < limits.maxBlocks', 'i < blocks.length'],
    ['chunk: denied types', "if (typeof type === 'string' && denied.has(type)) {", 'if (false) {'],
    ['chunk: keys of the other hop', ' || HOP_META.test(key)) continue;', ') continue;'],
    ['result: size', 'if (sizeOf(result, limits.maxResultBytes) > limits.maxResultBytes) {', 'if (false) {'],
  ]),
  ...inFile(`${bridge}/stream/sanitize/json.ts`, `${bridge}/stream/sanitize/values.test.ts`, [
    ['json: keys that reach a prototype', "if (key === '__proto__') return true;", ''],
    [
      'json: constructor and prototype',
      "return (key === 'constructor' || key === 'prototype') && typeof value === 'object' && value !== null;",
      'return false;',
    ],
  ]),
  ...inFile(
    `${bridge}/stream/sanitize/urls.ts`,
    [
      `${bridge}/stream/sanitize/values.test.ts`,
      `${bridge}/stream/sanitize/sanitizer.test.ts`,
      `${bridge}/stream/sanitize/a2ui.test.ts`,
    ],
    [['url: hidden characters', '.replace(IGNORED', '.replace(/(?!)/g']],
  ),
  ...inFile(`${bridge}/stream/sanitize/a2ui.ts`, `${bridge}/stream/sanitize/a2ui.test.ts`, [
    ['a2ui: paths', 'if (isForbiddenPath(value)) refusePath(at, value);', ''],
    [
      'a2ui: addresses',
      "if (typeof value !== 'string' || value === '' || isLoadableUrl(value)) return;",
      'return;',
    ],
    ['a2ui: number of components', 'value.length > maxComponents', 'false'],
    ['a2ui: one known message', 'if (kinds.length !== 1 || !kind || !known.has(kind)) {', 'if (!kind) {'],
  ]),
  ...inFile(`${bridge}/stream/sanitize/html.ts`, `${bridge}/stream/sanitize/html.browser.test.ts`, [
    ['html: stable under parsing', 'if (body.innerHTML !== once)', 'if (false)'],
    ['html: depth', 'if (depthOf(body) > MAX_DEPTH)', 'if (false)'],
    ['html: length', 'if (html.length > options.maxHtmlChars)', 'if (false)'],
  ]),
];

const intake = [
  ...inFile(`${bridge}/stream/intake.ts`, `${bridge}/stream/intake.test.ts`, [
    ['intake: shape', 'if (!parsed.ok) return parsed.rejection;', ''],
    ['intake: size', 'if (bytes > limits.maxChunkBytes) {', 'if (false) {'],
    [
      'intake: depth',
      "if (levels === 0) return { code: 'too_deep', path: '', problem: 'is nested too deeply' };",
      '',
    ],
    ['intake: plain data', 'if (!isRecord(value))', 'if (false)'],
    ['intake: task', 'if (chunk.taskId !== taskId)', 'if (false)'],
  ]),
  ...inFile(`${partial}/token-registry.ts`, `${partial}/token-registry.test.ts`, [
    ['token: issued here', 'isToken(token) ? active.get(token) : undefined;', '[...active.values()][0];'],
    [
      'token: its own task',
      'taskId !== undefined && entry.taskId !== undefined && taskId !== entry.taskId',
      'false',
    ],
  ]),
];

const view = [
  ...inFile(`${runtime}/receive.ts`, `${runtime}/runtime.test.ts`, [
    ['view: token', 'if (body.partialResultToken !== token) {', 'if (false) {'],
  ]),
  ...inFile(`${runtime}/receive.ts`, `${runtime}/hostile-input.test.ts`, [
    ['view: depth', 'if (bytes === Infinity)', 'if (false)'],
  ]),
  ...inFile(`${runtime}/a2ui/gate.ts`, `${runtime}/a2ui/gate.test.ts`, [
    ['a2ui view: paths', 'if (!isSafePath(path))', 'if (false)'],
    ['a2ui view: surfaces', 'if (surfaces.size >= limits.maxSurfaces)', 'if (false)'],
    [
      'a2ui view: components',
      'if (surface.components.size + added > limits.maxComponents) {',
      'if (false) {',
    ],
  ]),
  ...inFile(`${runtime}/a2ui/rewrite.ts`, `${runtime}/a2ui/gate.test.ts`, [
    [
      'a2ui view: functions that act',
      "if (typeof call === 'string' && SIDE_EFFECTS.has(call)) {",
      'if (false) {',
    ],
    ['a2ui view: addresses', 'if (isLoadableUrl(value)) return value;', 'return value;'],
  ]),
];

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  ...policy,
  ...served,
  ...where,
  ...proxy,
  ...channel,
  ...asked,
  ...sanitizer,
  ...intake,
  ...view,
];
