import { turn, type PaintReport, type ViewConfig } from '../../shared/protocol.ts';
import { place, type Link } from '../link.ts';
import { openOurs } from '../rivals/ours.ts';
import { openRaw } from '../rivals/raw.ts';

interface Trial {
  draws: ViewConfig['draws'];
  perChunk: boolean;
  perSecond: number;
  seconds: number;
}

const LINE = `${'a line of text as a tool writes it'.padEnd(39, '.')}\n`;
const version = 'v0.9';
const surfaceId = 's';

/** Streams into a view that really draws and tells what its frames cost. */
export async function rendering(trial: Trial): Promise<PaintReport & { ms: number }> {
  const { draws, perChunk } = trial;
  const container = place();
  const config = { draws, perChunk };
  const modes =
    draws === 'table' ? { structuredContent: 'append' } : draws === 'a2ui' ? {} : { content: 'append' };
  const ours = perChunk
    ? undefined
    : await openOurs({
        frames: 'double',
        config,
        container,
        coalesced: true,
        view: 'paint',
        modes,
        limits: {},
      });
  const link: Link = ours ?? (await openRaw({ frames: 'double', config, container }));
  await link.ask('report');
  const send = senderOf(draws, link, ours?.server.emit);
  await link.ask('report');
  const total = Math.round(trial.perSecond * trial.seconds);
  const start = performance.now();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, sent + 2_000, ((performance.now() - start) * trial.perSecond) / 1_000);
    for (; sent < due; sent++) send(sent);
    await turn();
  }
  const report = await link.ask<PaintReport>('report');
  const ms = performance.now() - start;
  await link.close();
  return { ...report, ms };
}

type Emit = (content: readonly object[] | undefined, structuredContent?: unknown) => void;

function senderOf(draws: ViewConfig['draws'], link: Link, emit: Emit | undefined): (i: number) => void {
  if (draws === 'table') return (i) => emit?.(undefined, { rows: [[`row ${i}`, 'value', String(i * 7)]] });
  if (draws !== 'a2ui') return () => link.send(LINE);
  const message = (body: object): void => {
    const text = `${JSON.stringify({ version, ...body })}\n`;
    emit?.([{ type: 'resource', resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text } }]);
  };
  const catalogId = 'https://a2ui.org/specification/v0_9/basic_catalog.json';
  const root = { id: 'root', component: 'Text', text: { path: '/count' } };
  message({ createSurface: { surfaceId, catalogId } });
  message({ updateComponents: { surfaceId, components: [root] } });
  return (i) => message({ updateDataModel: { surfaceId, path: '/count', value: `n ${i}` } });
}
