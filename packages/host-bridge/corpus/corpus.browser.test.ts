import { afterEach, describe, expect, test } from 'vitest';
import type { PartialToolResult } from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { createToolOutput } from '../src/lib/stream/output.ts';
import { createSanitizer, type SanitizerOptions } from '../src/lib/stream/sanitize/sanitizer.ts';
import { HARMLESS_HTML, HTML_PAYLOADS } from './data/html.ts';
import dompurify from './data/dompurify.json' with { type: 'json' };
import { createTripwire, insert, poke, type Tripwire } from './tripwire.ts';

const PAYLOADS = [...dompurify.entries, ...HTML_PAYLOADS];
/** How much of the corpus one test takes, so that a failure is near its cause. */
const BATCH = 26;
const batches = Array.from({ length: Math.ceil(PAYLOADS.length / BATCH) }, (_, i) =>
  PAYLOADS.slice(i * BATCH, (i + 1) * BATCH),
);

const html = (text: string): Pick<PartialToolResult, 'content'> => ({
  content: [{ type: 'resource', resource: { uri: 'ui://x', mimeType: 'text/html', text } }],
});

function asResult(text: string, options?: SanitizerOptions): string | undefined {
  const result = createSanitizer(options).result(html(text), () => {});
  return result.content?.[0]?.resource?.text;
}

/** Every beginning of the text; where it starts with hundreds of equal tags only some, since each costs as much as a hundred others. */
function cuts(text: string): string[] {
  const step = /(<[a-z]+>)\1{99,}/.test(text) ? 401 : 1;
  return Array.from({ length: text.length }, (_, i) => i + 1)
    .filter((at) => at % step === 0 || at === text.length)
    .map((at) => text.slice(0, at));
}

/** The markup as it grows, each time as the whole value: what is shown after every cut. */
function growing(texts: readonly string[]): (string | undefined)[] {
  const shown: (string | undefined)[] = [];
  const output = createToolOutput({ modes: { content: 'replace' }, scheduler: createManualScheduler() });
  output.subscribe({
    chunk: ({ body }) => void (shown[shown.length - 1] = body.content?.[0]?.resource?.text),
  });
  for (const [seq, text] of texts.entries()) {
    shown.push(undefined);
    output.push({ partialResultToken: 't', seq, ...html(text) });
  }
  return shown;
}

const wires: Tripwire[] = [];
async function wire(): Promise<Tripwire> {
  const made = await createTripwire();
  wires.push(made);
  return made;
}
afterEach(() => wires.splice(0).forEach((made) => made.close()));

describe('the tripwire', () => {
  test.each([
    ['<img src=x onerror=alert(1)>'],
    ['<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>'],
    ['<svg><a href="javascript:alert(1)"><text>x</text></a></svg>'],
    ['<a href="javascript:alert(1)">x</a>'],
    ['<input autofocus onfocus=alert(1)>'],
    ['<details open ontoggle=alert(1)>x</details>'],
    ['<style>@keyframes x{}</style><b style="animation:x 1ms" onanimationstart=alert(1)>x</b>'],
  ])('fires for %s', async (markup) => {
    const trap = await wire();
    insert(trap, markup);
    poke(trap);
    await trap.settle();
    await expect.poll(() => trap.fired()).toContain('alert(1)');
  });

  test('does not fire by itself', async () => {
    const trap = await wire();
    insert(trap, '<img src=x><a href="#x">x</a>');
    poke(trap);
    await trap.settle();
    expect(trap.fired()).toEqual([]);
  });

  test('fires for a good part of the corpus as it is written', async () => {
    let fired = 0;
    // Handlers that the parser or a failed load runs: the others need more than a document to show.
    for (const { payload } of PAYLOADS.filter(
      ({ payload }) => /on(?:error|load)\s*=/i.test(payload) && payload.length < 500,
    )) {
      const trap = await wire();
      insert(trap, payload);
      poke(trap);
      await trap.settle();
      if (trap.fired().length > 0) fired++;
      trap.close();
    }
    expect(fired).toBeGreaterThan(20);
  });
});

describe('payloads of DOMPurify and our own', () => {
  test.each(batches)(
    'run no script as a result, nor once the document wrote them anew: $title and the next',
    async (...batch) => {
      const trap = await wire();
      for (const { payload } of batch) insert(trap, asResult(payload) ?? '');
      poke(trap);
      await trap.settle();
      expect(trap.fired()).toEqual([]);
    },
  );

  // Thirty thousand documents: seconds, but more than the usual time on a busy machine.
  test.each(batches)(
    'nor cut at any character; the last cut gives what the whole gives: $title and the next',
    async (...batch) => {
      const trap = await wire();
      const seen = new Set<string>();
      for (const { payload } of batch) {
        const cuts = Array.from({ length: payload.length }, (_, i) => payload.slice(0, i + 1));
        const shown = growing(cuts);
        expect(shown.at(-1)).toBe(asResult(payload));
        for (const markup of shown) if (markup !== undefined && /[<&]/.test(markup)) seen.add(markup);
      }
      for (const markup of seen) insert(trap, markup, 'once');
      poke(trap);
      await trap.settle();
      expect(trap.fired()).toEqual([]);
    },
    120_000,
  );

  test.each(batches)(
    'nor for an app that may have drawings, formulas and forms: $title and the next',
    async (...batch) => {
      const rules = {
        svg: true,
        mathMl: true,
        allowTags: ['form', 'input', 'button', 'select', 'option', 'textarea', 'dialog'],
        allowAttributes: ['style', 'target'],
      };
      const trap = await wire();
      for (const { payload } of batch) insert(trap, asResult(payload, { html: rules }) ?? '');
      poke(trap);
      await trap.settle();
      expect(trap.fired()).toEqual([]);
    },
  );

  test('nor written into a document from its beginning', async () => {
    const trap = await wire();
    const all = PAYLOADS.map(({ payload }) => asResult(payload) ?? '').join('');
    trap.body.innerHTML = `<section>${all}</section>`;
    const parsed = new DOMParser().parseFromString(all, 'text/html');
    trap.body.append(trap.document.importNode(parsed.body, true));
    poke(trap);
    await trap.settle();
    expect(trap.fired()).toEqual([]);
  });

  test('sanitizing what came out changes nothing more', () => {
    for (const { payload } of PAYLOADS) {
      const once = asResult(payload);
      if (once !== undefined) expect(asResult(once)).toBe(once);
    }
  });
});

test.each(HARMLESS_HTML)('%s comes out as it went in, and is never shown worse than cut off', (markup) => {
  expect(asResult(markup)).toBe(markup);
  expect(growing(cuts(markup)).at(-1)).toBe(markup);
});
