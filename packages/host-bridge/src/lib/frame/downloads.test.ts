import { describe, expect, test } from 'vitest';
import { createDownloads, type DownloadOutcome } from './downloads.ts';
import type { ViewDownload } from './host-handlers.ts';

type Answer = boolean | 'handled';

function setUp(answer: (download: ViewDownload) => Answer = () => true) {
  const offered: ViewDownload[] = [];
  const saved: [string, Blob][] = [];
  const read: string[] = [];
  const run = createDownloads({
    client: {
      async readResource({ uri }) {
        read.push(uri);
        if (uri === 'db:missing') throw new Error('no such resource');
        return { contents: [{ uri, mimeType: 'text/csv', text: 'a,b' }] };
      },
    },
    hook: () => (download) => {
      offered.push(download);
      return answer(download);
    },
    save: (name, file) => saved.push([name, file]),
  });
  return { run: run as (contents: unknown) => Promise<DownloadOutcome>, offered, saved, read };
}

const embedded = (resource: object): object => ({
  type: 'resource',
  resource: { uri: 'file:///out/r.txt', ...resource },
});
const link = (uri: string, name = '../report.csv'): object => ({
  type: 'resource_link',
  uri,
  name,
  mimeType: 'text/csv',
});

describe('a file of the view', () => {
  test('is saved under a clean name, text and bytes as they are', async () => {
    const { run, saved } = setUp();
    const blob = btoa('\u0000\u00FF');
    expect(await run([embedded({ text: 'tekst æ' }), embedded({ uri: 'x:/a/../b.bin', blob })])).toEqual({
      saved: ['r.txt', 'b.bin'],
    });
    expect(await saved[0]![1].text()).toBe('tekst æ');
    expect(new Uint8Array(await saved[1]![1].arrayBuffer())).toEqual(new Uint8Array([0, 255]));
  });

  test('is read from the server only after consent', async () => {
    const { run, saved, read } = setUp(({ uri }) => uri === 'db:yes');
    expect(await run([link('db:yes'), link('db:no')])).toEqual({
      saved: ['report.csv'],
      refused: { name: 'report.csv', reason: 'declined' },
    });
    expect(read).toEqual(['db:yes']);
    expect(await saved[0]![1].text()).toBe('a,b');
  });

  test('is left to the hook that took it', async () => {
    const { run, saved, offered } = setUp(() => 'handled');
    expect(await run([embedded({ text: 'x' })])).toEqual({ saved: ['r.txt'] });
    expect(offered[0]?.file).toBeInstanceOf(Blob);
    expect(saved).toEqual([]);
  });

  test.each([
    ['nothing', []],
    ['no list', 'r.txt'],
    ['a block of another type', [{ type: 'text', text: 'x' }]],
    ['bytes that are none', [embedded({ blob: '***' })]],
    ['a resource that is not there', [link('db:missing')]],
  ])('that is %s is refused', async (_, contents) => {
    const { run, saved } = setUp();
    expect((await run(contents)).refused?.reason).toBe('unreadable');
    expect(saved).toEqual([]);
  });

  test('is one of ten at most', async () => {
    const { run, saved } = setUp();
    const outcome = await run(Array.from({ length: 11 }, () => embedded({ text: 'x' })));
    expect(outcome.refused?.reason).toBe('too_large');
    expect(saved).toHaveLength(10);
  });
});
