import { createToolOutput } from '@mcp-apps-bridge/host-bridge';
import type { AppState } from '../shared/config.ts';
import type { Checker } from './check.ts';
import { appHtml, atRest, ended, openRig } from './rig.ts';
import { chunkOf, cut, EXAMPLES, linesOf, resultOf } from './stream.ts';

/** Places where a browser paints nothing and may slow or stop timers and animation frames (case 33). */
const PLACES: Record<string, Partial<CSSStyleDeclaration>> = {
  'far below the fold': { position: 'absolute', top: '500vh', width: '400px' },
  'in a collapsed panel': { height: '0', overflow: 'hidden' },
  'in a panel whose content is not rendered': { contentVisibility: 'hidden' },
  'in a panel that is not displayed': { display: 'none' },
};

export async function checkUnseen(check: Checker): Promise<void> {
  const { messages } = EXAMPLES[0]!;
  const text = linesOf(messages);
  for (const [place, style] of Object.entries(PLACES)) {
    await check.group(place, async (one) => {
      const output = createToolOutput();
      const rig = await openRig(await appHtml({}), output);
      Object.assign(rig.container.style, style);
      await rig.ready();
      cut(text, 40, 9).forEach((piece, seq) => output.push(chunkOf(seq, piece)));
      await atRest(rig, output);
      const fold = (await rig.ask('fold', { text })) as AppState;
      const state = await rig.state();
      one.same(
        'before the result: the fold of all chunks',
        [state.page, state.model],
        [fold.page, fold.model],
      );
      output.finish(resultOf(messages));
      const end = await ended(rig);
      rig.container.removeAttribute('style');
      const shown = await rig.state();
      one.same('shown again, it is already right', [shown.page, shown.model], [end.page, end.model]);
      one.same('and complete, without a gap', [shown.status, shown.counters['gaps']], ['complete', 0]);
      await rig.close();
    });
  }
}
