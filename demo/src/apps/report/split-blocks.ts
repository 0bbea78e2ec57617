/**
 * Cuts Markdown at empty lines, outside fenced code, into parts that render alike alone and together.
 * Appending to the text changes the last part only.
 */
export function splitBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let fenced = false;
  for (const line of markdown.split('\n')) {
    if (/^\s{0,3}(```|~~~)/.test(line)) fenced = !fenced;
    if (line.trim() === '' && !fenced) {
      if (open.length > 0) blocks.push(open.join('\n'));
      open = [];
    } else {
      open.push(line);
    }
  }
  if (open.length > 0) blocks.push(open.join('\n'));
  return blocks;
}
