import { bridge, inFile } from './mutant-list.mjs';

/* What an app may ask for. */

export const REQUEST_MUTANTS = [
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
  ]),
  ...inFile(`${bridge}/frame/host-requests.ts`, `${bridge}/frame/view-features.browser.test.ts`, [
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
