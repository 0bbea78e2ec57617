import { describe, expect, it } from 'vitest';
import { embeds } from './readme.mjs';

const block = (info: string, lines: number): string => `\`\`\`${info}\n${'x;\n'.repeat(lines)}\`\`\`\n`;

describe('embeds', () => {
  it('takes the blocks that have a file name', () => {
    const markdown = `text\n${block('sh', 1)}${block('ts host.ts', 2)}more\n${block('ts', 3)}${block('tsx view.tsx', 1)}`;
    expect([...embeds(markdown)]).toEqual([
      ['host.ts', 'x;\nx;\n'],
      ['view.tsx', 'x;\n'],
    ]);
  });

  it('refuses a block of twenty lines and a name used twice', () => {
    expect(embeds(block('ts a.ts', 19)).size).toBe(1);
    expect(() => embeds(block('ts a.ts', 20))).toThrow('a.ts has 20 lines');
    expect(() => embeds(block('ts a.ts', 1) + block('ts a.ts', 1))).toThrow('two blocks are called a.ts');
  });
});
