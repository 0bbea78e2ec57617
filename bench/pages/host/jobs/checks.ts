import { createSanitizer } from '@mcp-apps-bridge/host-bridge';
import { parsePartialToolResult } from '@mcp-apps-bridge/partial-results';
import createDOMPurify from 'dompurify';
import { z } from 'zod';

/** Calls a second, from as many as fit into the time; batches are long enough not to measure the clock. */
function perSecond(run: () => unknown, ms: number): number {
  const timed = (calls: number): number => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) sink.value = run();
    return performance.now() - start;
  };
  let batch = 1;
  while (timed(batch) < 1) batch *= 2;
  let calls = 0;
  let elapsed = 0;
  while (elapsed < ms) {
    elapsed += timed(batch);
    calls += batch;
  }
  return (calls / elapsed) * 1_000;
}

/** Where results go, so that no call is optimised away. */
const sink: { value: unknown } = { value: undefined };

const report = (): void => undefined;
const PARAGRAPH = '<p>Revenue <b>grew</b> by 4&nbsp;% in <a href="https://example.com/q3">Q3</a>.</p>';

/** Calls a second: our sanitizer on a block, DOMPurify on its text. */
export async function sanitizing({ ms }: { ms: number }): Promise<Record<string, number>> {
  const purify = createDOMPurify(window);
  const sanitizer = createSanitizer();
  const text = (value: string): (() => unknown) => {
    const block = { type: 'text' as const, text: value };
    return () => sanitizer.content([{ block }], report);
  };
  const html = (value: string): (() => unknown) => {
    const block = {
      type: 'resource' as const,
      resource: { uri: 'ui://x', mimeType: 'text/html', text: value },
    };
    return () => sanitizer.content([{ block }], report, { whole: true });
  };
  const plain = 'plain text, '.repeat(17).slice(0, 200);
  const long = 'plain text, '.repeat(8_600).slice(0, 102_400);
  const markup = PARAGRAPH.repeat(15);
  const cases: Record<string, () => unknown> = {
    'text-200/ours': text(plain),
    'text-200/dompurify': () => purify.sanitize(plain),
    'text-100k/ours': text(long),
    'text-100k/dompurify': () => purify.sanitize(long),
    // No tag and no entity: the path that skips the parser, and the same with one character that forbids it.
    'html-plain/ours-fast-path': html(plain),
    'html-plain/ours-parsed': html(`${plain.slice(0, -1)}&`),
    'html-1.3k/ours': html(markup),
    'html-1.3k/dompurify': () => purify.sanitize(markup),
  };
  return Object.fromEntries(Object.entries(cases).map(([name, run]) => [name, perSecond(run, ms)]));
}

/** Calls a second: our guard and zod on one notification. Whether zod may compile is the page's to say. */
export async function guards({
  ms,
  evaluates,
}: {
  ms: number;
  evaluates: boolean;
}): Promise<Record<string, number>> {
  z.config({ jitless: !evaluates });
  const schema = z.object({
    partialResultToken: z.union([z.string(), z.number().int()]),
    seq: z.number().int().nonnegative(),
    content: z.array(z.looseObject({ type: z.literal('text'), text: z.string() })).optional(),
    structuredContent: z.unknown().optional(),
    final: z.boolean().optional(),
    taskId: z.string().optional(),
    _meta: z.record(z.string(), z.unknown()).optional(),
  });
  const chunk = {
    partialResultToken: 'token',
    seq: 7,
    content: [{ type: 'text', text: 'x'.repeat(200) }],
    _meta: { key: 'value' },
  };
  return {
    ours: perSecond(() => parsePartialToolResult(chunk), ms),
    zod: perSecond(() => schema.safeParse(chunk), ms),
  };
}
