/* From nothing on the page to the first applied chunk: frame, proxy, app, handshake and the first message. */
import { rounds, type Scenario } from '../lib/scenario.ts';

export const mounting: Scenario = {
  name: 'mounting',
  async run(bench) {
    const { sheet } = bench;
    const page = await bench.page();
    for (const rival of ['ours', 'ext']) await page.run('mounting', { rival });
    await rounds(bench, ['ours', 'ext'], async (rival) => {
      sheet.add(`mounting/${rival}`, await page.run<number>('mounting', { rival }), {
        unit: 'ms',
        better: 'lower',
      });
    });
    sheet.ratio('mounting/ours÷ext', 'mounting/ours', 'mounting/ext', 'lower');
  },
};
