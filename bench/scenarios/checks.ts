/*
 * The two checks every chunk passes. Sanitizing: plain text and HTML without a tag skip the parser, everything else
 * pays for DOMPurify twice (the second pass shows that the first is stable). Guards: written by hand, against zod
 * compiled and as it runs under a policy without `unsafe-eval`.
 */
import { scaled, type Scenario } from '../lib/scenario.ts';

export const checks: Scenario = {
  name: 'checks',
  async run(bench) {
    const { sheet, effort } = bench;
    const page = await bench.page();
    const ms = scaled(bench, 60, 5);
    for (let round = 0; round < effort.rounds; round++) {
      const seen = await page.run<Record<string, number>>('sanitizing', { ms });
      for (const [name, value] of Object.entries(seen)) {
        sheet.add(`sanitize/${name}`, value, { unit: '/s', better: 'higher' });
      }
      for (const evaluates of [true, false]) {
        const { ours, zod } = await page.run<{ ours: number; zod: number }>('guards', { ms, evaluates });
        if (!evaluates) sheet.add('guards/ours', ours, { unit: '/s', better: 'higher' });
        const name = evaluates ? 'guards/zod' : 'guards/zod-without-eval';
        sheet.add(name, zod, { unit: '/s', better: 'higher' });
      }
    }
    for (const kind of ['text-200', 'text-100k', 'html-1.3k']) {
      sheet.ratio(`sanitize/${kind}/ours÷dompurify`, `sanitize/${kind}/ours`, `sanitize/${kind}/dompurify`);
    }
    const fast = 'sanitize/html-plain/ours-fast-path';
    sheet.ratio('sanitize/html-plain/fast-path÷parsed', fast, 'sanitize/html-plain/ours-parsed');
    sheet.ratio('guards/ours÷zod', 'guards/ours', 'guards/zod');
    sheet.ratio('guards/ours÷zod-without-eval', 'guards/ours', 'guards/zod-without-eval');
  },
};
