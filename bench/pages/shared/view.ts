import { ASK_METHOD, DEFAULT_VIEW, TELL_METHOD, turn, type Timeline, type ViewConfig } from './protocol.ts';
import { createWallClock, stampsIn } from './stamp.ts';

export function readConfig(): ViewConfig {
  const written = document.getElementById('config')?.textContent ?? '{}';
  const behind = location.hash.length > 1 ? decodeURIComponent(location.hash.slice(1)) : '{}';
  const config = { ...DEFAULT_VIEW, ...(JSON.parse(written) as object), ...(JSON.parse(behind) as object) };
  if (config.silent) console.debug = () => undefined;
  return config;
}

function tell(what: string, value?: unknown): void {
  parent.postMessage({ jsonrpc: '2.0', method: TELL_METHOD, params: { what, value } }, '*');
}

type Answer = (params: Record<string, unknown>) => unknown;

/** What the page may ask, each thing once an id. */
export function answer(answers: Record<string, Answer>): void {
  const asked = new Set<unknown>();
  window.addEventListener('message', (event) => {
    const data = event.data as { method?: unknown; params?: Record<string, unknown> } | null;
    if (data?.method !== ASK_METHOD || !data.params || asked.has(data.params['id'])) return;
    // The chunk handlers need not see it.
    event.stopImmediatePropagation();
    const { params } = data;
    asked.add(params['id']);
    void (async () =>
      tell(`answer ${String(params['id'])}`, await answers[String(params['what'])]?.(params)))();
  });
  tell('loaded');
}

/** The no-op end of a stream: counts, says when all it was told to expect has come, and notes times. */
export interface Meter {
  /** A piece of text was applied. */
  apply(text: string): void;
  /** What was applied so far is on the screen with the next paint; by default the meter paints by itself. */
  painted(): void;
  answers: Record<string, Answer>;
}

export function createMeter({ paint, applyMs }: ViewConfig): Meter {
  const wall = createWallClock();
  let chars = 0;
  let expected = Infinity;
  let applies = 0;
  let timeline: Timeline = { delivered: [], shown: [] };
  let pending: number[] = [];

  function painted(): void {
    const now = wall();
    for (const stamp of pending) timeline.shown.push(now - stamp);
    pending = [];
  }

  return {
    apply(text) {
      applies++;
      if (applyMs > 0) keepBusy(applyMs);
      chars += text.length;
      if (paint) {
        const now = wall();
        for (const stamp of stampsIn(text)) {
          timeline.delivered.push(now - stamp);
          pending.push(stamp);
        }
      }
      if (chars < expected) return;
      expected = Infinity;
      tell('done');
    },
    painted,
    answers: {
      expect(params) {
        chars = 0;
        expected = Number(params['chars']);
        return true;
      },
      timeline() {
        const seen = { ...timeline, applies };
        timeline = { delivered: [], shown: [] };
        pending = [];
        applies = 0;
        return seen;
      },
      counted: () => chars,
    },
  };
}

/** Appends text with the next frame, as a careful view does by hand. */
export function createPainter(meter: Meter): (text: string) => void {
  const target = document.body.appendChild(document.createElement('pre'));
  target.style.cssText = 'height:300px;overflow:hidden;margin:0';
  let due = '';
  return (text) => {
    if (due === '') {
      requestAnimationFrame(() => {
        target.append(due);
        due = '';
        // A page of text is enough to paint; what is measured is when.
        if (target.childNodes.length > 50) target.firstChild?.remove();
        meter.painted();
      });
    }
    due += text;
  };
}

/** More steps of promises than any rival takes from a message to its apply. */
const MICROTASKS = 24;

/**
 * Time a view spends on one message, without the hop: events are dispatched in the view itself, some in a row as on
 * a busy channel, and all they cause is waited for. Through a port of its own each would be a task as on a real
 * path, but the passing of tasks between threads costs more than what is to be measured.
 * @returns microseconds a message.
 */
export async function timeMessages(
  make: (seq: number) => unknown,
  count: number,
  from: number,
): Promise<number> {
  const init = { source: parent, origin: 'null' };
  const events = Array.from(
    { length: count },
    (_, i) => new MessageEvent('message', { ...init, data: make(from + i) }),
  );
  const start = performance.now();
  for (const [i, event] of events.entries()) {
    window.dispatchEvent(event);
    for (let step = 0; step < MICROTASKS; step++) await Promise.resolve();
    // Acks have a task of their own.
    if (i % 20 === 19) await turn();
  }
  return ((performance.now() - start) * 1_000) / count;
}

function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
