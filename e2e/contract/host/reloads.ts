import { createToolOutput } from '@mcp-apps-bridge/host-bridge';
import type { AppState } from '../shared/config.ts';
import { inParallel, until, type Checker } from './check.ts';
import { lastEpoch } from './examples.ts';
import { appHtml, atRest, ended, openRig, type Rig } from './rig.ts';
import { chunkOf, cut, EXAMPLES, linesOf, resultOf } from './stream.ts';

/** Ways to lose the app's document in mid-stream and get another one. */
const WAYS: Record<string, (rig: Rig) => Promise<void>> = {
  /** The embedder starts over. */
  async reloaded({ view }) {
    view.reload();
  },
  /** The embedder moves the frame in its page, which gives it a new window (case 65). */
  async moved({ view, container }) {
    await until('a frame to move', () => view.element);
    container.appendChild(document.createElement('section')).append(view.element!);
  },
  /** The app reloads itself: the host is told and may start over. */
  async 'left by the app'(rig) {
    await rig.ready();
    // A document that leaves may be gone before it has answered; the next one must not be asked as well.
    let told = false;
    void rig.ask('leave', {}, () => !told).catch(() => undefined);
    await until('the host to be told', () => rig.view.status === 'lost');
    told = true;
    rig.view.reload();
  },
};

/** At every point of a stream, in every way: what is shown afterwards does not depend on it. */
export async function checkReloads(
  check: Checker,
  { points, ignorePartials, width }: { points: number; ignorePartials: boolean; width: number },
): Promise<void> {
  const { messages } = EXAMPLES.reduce((a, b) =>
    linesOf(b.messages).length > linesOf(a.messages).length ? b : a,
  );
  const text = linesOf(messages);
  const pieces = cut(text, 2 * points, 5);
  const plain = createToolOutput();
  const reference = await openRig(await appHtml({}), plain);
  await reference.ready();
  const fold = (await reference.ask('fold', { text })) as AppState;
  plain.finish(resultOf(messages));
  const end = await ended(reference);
  await reference.close();

  const runs = Object.keys(WAYS).flatMap((way) =>
    Array.from({ length: points }, (_, point) => ({ way, point })),
  );
  await inParallel(runs, width, async ({ way, point }) =>
    check.group(`${way} at point ${point}`, async (one) => {
      const output = createToolOutput();
      output.input({ point });
      const rig = await openRig(await appHtml({ ignorePartials }), output);
      // At the first points a view that is still loading, later one that shows something.
      if (point > 1) await rig.ready();
      for (const [seq, piece] of pieces.entries()) {
        if (seq === 2 * point) {
          if (point > 2) await atRest(rig, output);
          await WAYS[way]!(rig);
        }
        output.push(chunkOf(seq, piece));
      }
      await rig.ready();
      const log = await atRest(rig, output);
      const methods = log.methods.filter((method) => method.startsWith('ui/notifications/tool-'));
      one.same(
        'the new document gets the input first, and once',
        [methods[0], methods.filter(isInput).length],
        ['ui/notifications/tool-input', 1],
      );
      const texts = lastEpoch(log).map((chunk) => chunk.text);
      one.same('it gets the whole stream, each message once', texts.join(''), text);
      const state = await rig.state();
      one.same(
        'before the result: the fold of all chunks',
        [state.page, state.model],
        [fold.page, fold.model],
      );
      output.finish(resultOf(messages));
      const last = await ended(rig);
      one.same('the end: that of a run without chunks', [last.page, last.model], [end.page, end.model]);
      await rig.close();
    }),
  );
}

const isInput = (method: string): boolean => method === 'ui/notifications/tool-input';
