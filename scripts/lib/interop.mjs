/** Where the tests are. */
export const PAIRINGS = 'packages/partial-results/src/sdk-pairings.test.ts';
export const APPS = 'packages/host-bridge/src/lib/stream/forward-tool-output.test.ts';

/**
 * @typedef {{ title: string, fullName: string, ancestorTitles: string[], status: string }} Assertion
 * @typedef {{ testResults: { name: string, assertionResults: Assertion[] }[] }} Report
 */

/**
 * @param {Report} report of vitest, over the two files
 * @returns {string} Markdown
 */
export function interopDocument(report) {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const pairs = tests.filter(({ ancestorTitles: [pair] }) => pair?.includes(' over '));
  const columns = [...new Set(pairs.map(({ ancestorTitles }) => String(ancestorTitles[0])))];
  const rows = [...new Set(pairs.map(({ title }) => title))];
  const cell = (/** @type {string} */ row, /** @type {string} */ column) => {
    const found = pairs.find(({ title, ancestorTitles }) => title === row && ancestorTitles[0] === column);
    return found === undefined ? '–' : found.status === 'passed' ? '✓' : '**failed**';
  };
  const apps = tests.filter(({ title }) => /^AppBridge \S+, App /.test(title));
  return [
    '# Interop',
    '',
    'Every pairing of SDK generation, protocol era and transport that exists, each with real processes: a server of SDK',
    'v2 or v1 over stdio or Streamable HTTP, called by a client of SDK v2 in the era of 2026-07-28 (modern) or 2025-11-25',
    '(legacy), or by one of SDK v1. A modern client falls back to 2025-11-25 towards a server of v1, which speaks no other.',
    'A stock client without any of our code is one of the rows; a stock server is what conformance `s17` checks.',
    '',
    'Written by `node scripts/interop.mjs` from a run of the tests, which are part of `npm test`.',
    '',
    `| check | ${columns.map(shortName).join(' | ')} |`,
    `| --- | ${columns.map(() => '---').join(' | ')} |`,
    ...rows.map(
      (row) =>
        `| ${row.replaceAll('|', '\\|')} | ${columns.map((column) => cell(row, column)).join(' | ')} |`,
    ),
    '',
    '## MCP Apps',
    '',
    'The forwarding pipeline in a host with an `AppBridge` of its own, towards apps of both generations; whole hosts and',
    'published apps are in [`e2e/third-party`](../e2e/third-party/README.md).',
    '',
    '| host and app | the whole stream arrives, in order |',
    '| --- | --- |',
    ...apps.map(
      ({ title, status }) => `| ${title.replace(/:.*/, '')} | ${status === 'passed' ? '✓' : '**failed**'} |`,
    ),
    '',
  ].join('\n');
}

/** @param {string} pairing such as `'server-v2' over 'stdio', 'v1' client` */
function shortName(pairing) {
  const [, server, transport, client] =
    /^server-(\S+) over (\S+), (.*) client$/.exec(pairing.replaceAll("'", '')) ?? [];
  return server === undefined ? pairing : `${client} → ${server}, ${transport}`;
}
