import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const skip = /(?:^|\/)(?:node_modules|dist|test-results|\.git)(?:\/|$)/;

function markdown(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skip.test(path)) return [];
    if (entry.isDirectory()) return markdown(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function anchors(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(headings);
}

test.each(markdown('.'))('%s links to what exists', (file) => {
  const broken: string[] = [];
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
    const [path = '', anchor] = target!.split('#');
    const found = path === '' ? file : join(dirname(file), path);
    const known = existsSync(found);
    if (!known || (anchor && found.endsWith('.md') && !anchors(readFileSync(found, 'utf8')).has(anchor)))
      broken.push(target!);
  }
  expect(broken).toEqual([]);
});
