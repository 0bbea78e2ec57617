import { bridge, inFile, partial, runtime } from './mutant-list.mjs';

/* What a server sends, on the host and in the view. */

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
    ['view: token', 'token !== undefined && partialResultToken === token', 'token !== undefined'],
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

export const CONTENT_MUTANTS = [...sanitizer, ...intake, ...view];
