import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = 'packages/host-bridge/src';

/** The files that declare events, which is where a `type` stands in an exported union. */
function declared(): string[] {
  const names = new Set<string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('.test.') || file.includes('testing')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    for (const statement of text.split(/^(?=export |function )/m)) {
      if (!/^export (?:type|interface) \w*Event\b/.test(statement)) continue;
      for (const [, union] of statement.matchAll(/\btype: ((?:'\w+'(?: \| )?)+)/g))
        for (const [, name] of (union ?? '').matchAll(/'(\w+)'/g)) names.add(name!);
    }
  }
  return [...names].sort();
}

test('the README of host-bridge lists every event, and no other', () => {
  const readme = readFileSync('packages/host-bridge/README.md', 'utf8');
  const table = /<!-- events -->([^]*)<!-- \/events -->/.exec(readme)![1]!;
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  expect(listed.sort()).toEqual(declared());
});
