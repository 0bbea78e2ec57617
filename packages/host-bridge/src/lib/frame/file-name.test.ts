import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeFileName } from './file-name.ts';

describe('the name of a download', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['Rapport – 3. kvartal (utkast).xlsx', 'Rapport – 3. kvartal (utkast).xlsx'],
    ['日本語.txt', '日本語.txt'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system32\\evil.dll', 'evil.dll'],
    ['C:\\autoexec.bat', 'autoexec.bat'],
    ['/', 'download'],
    ['', 'download'],
    [undefined, 'download'],
    ['...', 'download'],
    ['.bashrc', 'bashrc'],
    ['name. . .', 'name'],
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['a\u0000b\r\nc.txt', 'abc.txt'],
    ['a:b*c?"d<e>f|.txt', 'a_b_c__d_e_f_.txt'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['file:///secret/notes.md', 'notes.md'],
  ])('%j becomes %j', (given, expected) => {
    expect(safeFileName(given)).toBe(expected);
  });

  test('keeps its extension when it is cut', () => {
    const name = safeFileName(`${'x'.repeat(500)}.json`);
    expect(name).toHaveLength(120);
    expect(name.endsWith('.json')).toBe(true);
  });

  test('is always one plain name, and clean a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        const name = safeFileName(given);
        expect(name).not.toMatch(/[\\/:*?"<>|\p{Cc}\p{Cf}]|^[.\s]|[.\s]$/u);
        expect(name.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(121);
        expect(safeFileName(name)).toBe(name);
      }),
      { numRuns: 1_000 },
    );
  });
});
