import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MERGE_META_KEY,
  PATCHES_META_KEY,
  type ContentBlock,
  type MergeModes,
  type PartialResultBody,
} from '@mcp-apps-bridge/partial-results';
import {
  foldContent,
  foldStructured,
  patchesOf,
  readMergeModes,
} from '@mcp-apps-bridge/partial-results/stream';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { createToolOutput } from './output.ts';
import { createTestView } from './testing/view.ts';
import { createViewFeed } from './view-feed.ts';

/* Values that a careless reader takes for nothing are among them: 0, false, '' and null in a patch. */
const leaf = fc.constantFrom<unknown>(null, 0, false, '', 1);
const value = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(
    leaf,
    fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b'), leaf),
  ),
);
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.constantFrom('', 'x', 'yy') }),
  fc.record({
    type: fc.constant('text'),
    text: fc.constant('m'),
    annotations: fc.record({ priority: fc.constantFrom(0, 1) }),
  }),
);
const modes = fc.record(
  {
    content: fc.constantFrom('append', 'replace', 'of tomorrow'),
    structuredContent: fc.constantFrom('append', 'replace', 'merge-patch', 'of tomorrow'),
  },
  { requiredKeys: [] },
);
const body = fc.record(
  {
    content: fc.array(block, { maxLength: 3 }),
    structuredContent: value,
    final: fc.boolean(),
    _meta: fc.record({ [MERGE_META_KEY]: modes }),
  },
  { requiredKeys: [] },
);
const plan = fc.record({
  declared: modes,
  steps: fc.array(fc.record({ body, next: fc.constantFrom('', 'task', 'window', 'ack', 'reload') }), {
    maxLength: 30,
  }),
  acks: fc.boolean(),
  late: fc.boolean(),
  queueBytes: fc.integer({ min: 200, max: 1_000 }),
  historyBytes: fc.integer({ min: 200, max: 1_000 }),
});

test('D3: property: in any modes, merged and split as it may be, what a view shows is the fold of what was sent', () => {
  fc.assert(
    fc.property(plan, ({ declared, steps, acks, late, queueBytes, historyBytes }) => {
      const scheduler = createManualScheduler();
      const tool = { name: 'x', _meta: { [MERGE_META_KEY]: declared } };
      const limits = { history: { batchBytes: historyBytes } };
      const output = createToolOutput({ scheduler, tool, limits });
      const view = createTestView();
      const feed = createViewFeed({
        output,
        scheduler,
        notify: view.receive,
        limits: { coalesce: { batchBytes: queueBytes }, pace: { maxFrames: 2 } },
      });
      let content: ContentBlock[] = [];
      let structured: unknown;

      if (!late) feed.open({ acks });
      for (const [seq, step] of steps.entries()) {
        const sent = step.body as PartialResultBody;
        output.push({ partialResultToken: 0, seq, ...sent });
        const inForce: MergeModes = readMergeModes(tool._meta, sent._meta);
        if (sent.content) content = foldContent(content, sent.content, inForce.content);
        for (const update of patchesOf(sent))
          structured = foldStructured(structured, update, inForce.structuredContent);
        if (step.next === 'task') scheduler.flush();
        else if (step.next === 'window') scheduler.advance(20);
        else if (step.next === 'ack') feed.ack(view.ack().params);
        else if (step.next === 'reload' && !late) feed.open({ acks });
      }
      if (late) feed.open({ acks });
      for (let ms = 0; ms < 10_000; ms += 100) {
        scheduler.advance(100);
        feed.ack(view.ack().params);
      }

      expect(feed.counters.queued).toBe(0);
      // Only negotiated views are sent several patches at once; any other would apply the first.
      if (!acks) expect(view.chunks.filter(({ _meta }) => _meta?.[PATCHES_META_KEY])).toEqual([]);
      expect(view.streamed.structured).toEqual(structured);
      // Where a view knows no mode, a merge may or may not have joined the text; the reader cannot tell.
      const joined = (blocks: ContentBlock[]): ContentBlock[] => foldContent([], blocks, 'append');
      expect(joined(view.streamed.content)).toEqual(joined(content));
      expect(view.chunks.some(({ final }) => final)).toBe(steps.some((step) => step.body.final));
    }),
    { numRuns: 500 },
  );
});
