const TEST_NAME =
  /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const CASES = /\bcases? (\d+(?:(?:, | and |, and )\d+)*)/g;
const BEGIN = '<!-- field cases: begin -->';
const END = '<!-- field cases: end -->';

/**
 * The tests of a file that name a field case, as `case 12` or `cases 12, 13 and 15`.
 * @param {string} source text of a test file
 * @returns {{ cases: number[], name: string }[]}
 */
export function namedCases(source) {
  return [...source.matchAll(TEST_NAME)].flatMap((match) => {
    const name = (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1');
    const cases = [...name.matchAll(CASES)].flatMap(([, list]) => (list?.match(/\d+/g) ?? []).map(Number));
    return cases.length > 0 ? [{ cases, name }] : [];
  });
}

/**
 * @param {Record<string, string>} titles every field case
 * @param {readonly { file: string, source: string }[]} files
 * @returns {string} Markdown: a row per covered case, then the numbers of the others
 */
export function fieldCaseTable(titles, files) {
  /** @type {Map<number, string[]>} */
  const tests = new Map();
  for (const { file, source } of files) {
    for (const { cases, name } of namedCases(source)) {
      for (const number of cases) {
        if (!Object.hasOwn(titles, number))
          throw new Error(`${file} names case ${number}, which does not exist`);
        tests.set(number, [...(tests.get(number) ?? []), `\`${file}\`: ${name.replaceAll('|', '\\|')}`]);
      }
    }
  }
  const numbers = Object.keys(titles).map(Number);
  const rows = numbers
    .filter((number) => tests.has(number))
    .map((number) => `| ${number} | ${titles[number]} | ${tests.get(number)?.join('<br>')} |`);
  const open = numbers.filter((number) => !tests.has(number));
  return [
    '| Case | What went wrong in the field | Tests |',
    '| --- | --- | --- |',
    ...rows,
    '',
    `${numbers.length - open.length} of ${numbers.length} cases have a test. Without one: ${open.join(', ') || 'none'}.`,
  ].join('\n');
}

/**
 * @param {string} document
 * @param {string} table
 * @returns {string} the document with the table between its two markers
 */
export function withTable(document, table) {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`the document needs ${BEGIN} and ${END}`);
  return `${document.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${document.slice(end)}`;
}
