/*
 * Every guard between server, view and host page, and the change that switches it off. `scripts/mutants.mjs`
 * runs the tests named here once per entry; at least one must fail.
 */

const frame = 'packages/host-bridge/src/lib/frame';
const sandbox = 'packages/host-bridge/src/lib/sandbox';

/** @type {readonly import('./mutant-plugin.mjs').Mutant[]} */
export const MUTANTS = [
  // The policy of the view's documents (H4 to H6).
  {
    id: 'csp-domain-shape',
    file: `${sandbox}/csp.ts`,
    find: 'else if (!source.test(entry))',
    replace: 'else if (false)',
    project: 'unit',
    tests: [`${sandbox}/csp.test.ts`],
  },
  {
    id: 'csp-domain-count',
    file: `${sandbox}/csp.ts`,
    find: 'else if (kept.length >= maxEntries)',
    replace: 'else if (false)',
    project: 'unit',
    tests: [`${sandbox}/csp.test.ts`],
  },
  {
    id: 'csp-domain-length',
    file: `${sandbox}/csp.ts`,
    find: 'else if (entry.length > maxLength)',
    replace: 'else if (false)',
    project: 'unit',
    tests: [`${sandbox}/csp.test.ts`],
  },
  {
    id: 'csp-form-action',
    file: `${sandbox}/csp.ts`,
    find: `"form-action 'none'",`,
    replace: '',
    project: 'unit',
    tests: [`${sandbox}/csp.test.ts`],
  },
  {
    id: 'sandbox-frame-ancestors',
    file: `${sandbox}/handler.ts`,
    find: '; frame-ancestors ${host}`',
    replace: '`',
    project: 'unit',
    tests: [`${sandbox}/handler.test.ts`],
  },
  {
    id: 'sandbox-unknown-host',
    file: `${sandbox}/handler.ts`,
    find: ': hostOrigins.find((origin) => origin === asked);',
    replace: ': (asked ?? undefined);',
    project: 'unit',
    tests: [`${sandbox}/handler.test.ts`],
  },
  {
    id: 'sandbox-own-origin',
    file: `${frame}/sandbox-url.ts`,
    find: 'if (url.origin === hostOrigin) {',
    replace: 'if (false) {',
    project: 'unit',
    tests: [`${frame}/sandbox-url.test.ts`],
  },
  // Messages.
  {
    id: 'proxy-host-origin',
    file: `${sandbox}/proxy-script.ts`,
    find: 'if (event.origin === hostOrigin) fromHost(event.data);',
    replace: 'fromHost(event.data);',
    project: 'browser',
    tests: [`${sandbox}/proxy.browser.test.ts`],
  },
  {
    id: 'proxy-inner-source',
    file: `${sandbox}/proxy-script.ts`,
    find: "} else if (inner && event.source === inner.contentWindow && event.origin === 'null') {",
    replace: '} else {',
    project: 'browser',
    tests: [`${sandbox}/proxy.browser.test.ts`],
  },
  {
    id: 'channel-source',
    file: `${frame}/frame-channel.ts`,
    find: 'if (event.source === null || event.source !== options.frame()) return;',
    replace: '',
    project: 'unit',
    tests: [`${frame}/frame-channel.test.ts`],
  },
  {
    id: 'open-link-scheme',
    file: `${frame}/open-link.ts`,
    find: "if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return undefined;",
    replace: '',
    project: 'unit',
    tests: [`${frame}/open-link.test.ts`],
  },
];
