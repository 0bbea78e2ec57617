import { expect, test } from 'vitest';
import {
  EPOCH_META_KEY,
  MERGE_META_KEY,
  PATCHES_META_KEY,
  SKIPPED_META_KEY,
  UPSTREAM_META_KEY,
} from '@mcp-apps-bridge/partial-results';
import { createForwarder, splitPatches } from './forward.ts';
import type { OutputChunk } from './types.ts';

function setup(epoch = 0) {
  const sent: Array<{ method: string; params: Record<string, unknown> }> = [];
  const forwarder = createForwarder({
    token: 'own',
    epoch,
    notify: (method, params) => void sent.push({ method, params }),
    onSendFailed: () => undefined,
  });
  return { forwarder, sent };
}

const chunk = (first: number, last: number, more: Partial<OutputChunk> = {}): OutputChunk => ({
  range: { first, last },
  gaps: 0,
  body: { content: [{ type: 'text', text: 'a' }] },
  modes: {},
  bytes: 10,
  ...more,
});

test('D2: numbers of its own, one skipped for each loss, none for what was merged or withheld', () => {
  const { forwarder, sent } = setup();
  forwarder.chunk(chunk(0, 3));
  forwarder.chunk(chunk(9, 9, { gaps: 1 }));
  forwarder.chunk(chunk(10, 12));
  forwarder.chunk(chunk(20, 20, { gaps: 2 }));
  expect(sent.map(({ params }) => params['seq'])).toEqual([0, 2, 3, 6]);
  expect(forwarder.lastSeq).toBe(6);
  const skipped = sent.map(({ params }) => (params['_meta'] as object)[SKIPPED_META_KEY as never]);
  expect(skipped).toEqual([undefined, 1, undefined, 2]);
});

test('a message has what the chunk has and nothing else', () => {
  const { forwarder, sent } = setup(2);
  const body = { structuredContent: 0, final: true, _meta: { own: 1 } };
  forwarder.chunk(chunk(0, 0, { body, modes: { structuredContent: 'replace' }, taskId: 'T' }));
  forwarder.chunk(chunk(1, 1, { body: { content: [] } }));
  expect(sent.map(({ params }) => params)).toEqual([
    {
      partialResultToken: 'own',
      seq: 0,
      structuredContent: 0,
      final: true,
      taskId: 'T',
      _meta: {
        own: 1,
        [UPSTREAM_META_KEY]: [0, 0],
        [EPOCH_META_KEY]: 2,
        [MERGE_META_KEY]: { structuredContent: 'replace' },
      },
    },
    {
      partialResultToken: 'own',
      seq: 1,
      content: [],
      _meta: { [UPSTREAM_META_KEY]: [1, 1], [EPOCH_META_KEY]: 2 },
    },
  ]);
});

test('a result without chunks before it names none', () => {
  const { forwarder, sent } = setup();
  forwarder.result({ content: [], _meta: { own: 1 } });
  expect(sent).toEqual([
    { method: 'ui/notifications/tool-result', params: { content: [], _meta: { own: 1 } } },
  ]);
});

test('a patch list becomes one message each: content with the first, final with the last, the loss once', () => {
  const body = {
    content: [{ type: 'text', text: 'a' }],
    structuredContent: { a: 1 },
    final: true,
    _meta: { own: 1, [PATCHES_META_KEY]: [{ b: 2 }, { a: null }] },
  };
  expect(splitPatches(chunk(0, 2, { body, gaps: 1 })).map((part) => [part.body, part.gaps])).toEqual([
    [{ content: body.content, structuredContent: { a: 1 }, _meta: { own: 1 } }, 1],
    [{ structuredContent: { b: 2 }, _meta: { own: 1 } }, 0],
    [{ structuredContent: { a: null }, final: true, _meta: { own: 1 } }, 0],
  ]);
  const plain = chunk(0, 0);
  expect(splitPatches(plain)).toEqual([plain]);
});
