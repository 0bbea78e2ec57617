const FENCE = /^```tsx? ([\w.-]+)\n([^]*?)^```$/gm;

/** The longest embed a reader should have to take in, in lines. */
const MAX_LINES = 20;

/**
 * The named code blocks of a Markdown text: those that open with a language and a file name.
 * @param {string} markdown
 * @returns {Map<string, string>} file name → code
 * @throws when a block is longer than a README embed should be, or a name is used twice
 */
export function embeds(markdown) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const [, name, code] of markdown.matchAll(FENCE)) {
    if (!name || code === undefined) continue;
    if (files.has(name)) throw new Error(`two blocks are called ${name}`);
    const lines = code.trimEnd().split('\n').length;
    if (lines >= MAX_LINES) throw new Error(`${name} has ${lines} lines; an embed stays under ${MAX_LINES}`);
    files.set(name, code);
  }
  return files;
}
