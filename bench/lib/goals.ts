import type { Figure, Sheet } from './figures.ts';
import { summarize } from './stats.ts';

/** One line of the table of goals: figures of a run, each with the limit it has to keep. */
export interface Goal {
  id: string;
  work: string;
  /** In words, as in the table. */
  goal: string;
  checks: readonly { figure: string; atMost?: number; atLeast?: number }[];
}

export type Verdict = 'met' | 'not met' | 'not measured';

export interface Judged extends Goal {
  verdict: Verdict;
  /** Median and limit of each check, in words. */
  seen: string;
}

const PAYLOADS = ['200', '1000', '10000'];

const GOALS: readonly Goal[] = [
  {
    id: 'full-path',
    work: 'full path (claim → … → no-op apply), one chunk a message, 200 B to 10 KB, two frames',
    goal: '≥ 0.8× raw',
    checks: PAYLOADS.map((bytes) => ({ figure: `throughput/double/${bytes}/plain÷raw`, atLeast: 0.8 })),
  },
  {
    id: 'view-time',
    work: 'view time per message, un-coalesced, against ext-apps (console silenced)',
    goal: '≤ 1/5',
    checks: [{ figure: 'view-time/200/ours÷ext', atMost: 0.2 }],
  },
  {
    id: 'coalesced-ext-window',
    work: 'coalesced throughput at 200 B against ext-apps (console silenced), window path',
    goal: '≥ 5×',
    checks: [{ figure: 'throughput/double/200/window÷ext', atLeast: 5 }],
  },
  {
    id: 'coalesced-ext-port',
    work: 'coalesced throughput at 200 B against ext-apps (console silenced), port path',
    goal: '≥ 15×',
    checks: [{ figure: 'throughput/double/200/port÷ext', atLeast: 15 }],
  },
  {
    id: 'slow-view',
    work: 'lag p99 with a view that takes 5 ms an apply, 2,000 chunks/s',
    goal: '≤ 100 ms, queues bounded',
    checks: [
      { figure: 'slow-view/lag-p99', atMost: 100 },
      { figure: 'slow-view/over-caps', atMost: 0 },
    ],
  },
  {
    id: 'coalesced-window',
    work: 'coalesced, 200 B chunks, window path',
    goal: '≥ 4× raw',
    checks: [{ figure: 'throughput/double/200/window÷raw', atLeast: 4 }],
  },
  {
    id: 'coalesced-port',
    work: 'coalesced, 200 B chunks, port path',
    goal: '≥ 10× raw',
    checks: [{ figure: 'throughput/double/200/port÷raw', atLeast: 10 }],
  },
  {
    id: 'cliff',
    work: 'coalesced partial batches of 16,384 B or more on the window path',
    goal: '0',
    checks: [{ figure: 'batches/at-or-over-16384', atMost: 0 }],
  },
  {
    id: 'large-payload',
    work: 'one 100 KB payload',
    goal: '≤ 0.5× the time of raw',
    checks: [{ figure: 'large-payload/ours÷raw', atMost: 0.5 }],
  },
  {
    id: 'latency-slow',
    work: 'emit → frame p50 / p99 at 50 and 500 chunks/s',
    goal: '≤ 1.15× / ≤ 1.25× raw',
    checks: [50, 500].flatMap((rate) => [
      { figure: `latency/visible/${rate}/p50/ours÷raw`, atMost: 1.15 },
      { figure: `latency/visible/${rate}/p99/ours÷raw`, atMost: 1.25 },
    ]),
  },
  {
    id: 'latency-fast',
    work: 'emit → frame p99 at 5,000 chunks/s',
    goal: '≤ 0.7× raw, ≤ 0.25× ext-apps',
    checks: [
      { figure: 'latency/visible/5000/p99/ours÷raw', atMost: 0.7 },
      { figure: 'latency/visible/5000/p99/ours÷ext', atMost: 0.25 },
    ],
  },
  {
    id: 'rendering',
    work: '10,000 chunks/s of text in the view',
    goal: '≤ 5 % frames dropped, p99 ≤ 0.4× per-chunk setState',
    checks: [
      { figure: 'rendering/text/dropped', atMost: 0.05 },
      { figure: 'rendering/text/p99÷per-chunk', atMost: 0.4 },
    ],
  },
  {
    id: 'unseen',
    work: 'hidden or off screen: delivery delay',
    goal: '≤ 2× visible, no 1 s steps',
    checks: ['hidden', 'offscreen'].flatMap((where) => [
      { figure: `latency/${where}/500/delivered-p50÷visible`, atMost: 2 },
      { figure: `latency/${where}/500/delivered-max`, atMost: 900 },
    ]),
  },
  {
    id: 'plain-text',
    work: 'plain-text sanitize',
    goal: '≥ 20× DOMPurify',
    checks: [{ figure: 'sanitize/text-200/ours÷dompurify', atLeast: 20 }],
  },
  {
    id: 'guards',
    work: 'validation, under a CSP without unsafe-eval',
    goal: '≥ 20× zod without eval',
    checks: [{ figure: 'guards/ours÷zod-without-eval', atLeast: 20 }],
  },
  {
    id: 'size',
    work: 'app-runtime core, minified',
    goal: '≤ 10 KB, no dependency',
    checks: [
      { figure: 'size/app-runtime-core', atMost: 10_000 },
      { figure: 'size/foreign-modules', atMost: 0 },
    ],
  },
  {
    id: 'claim',
    work: "client claim over stdio / HTTP, CPU per message against the SDK's own notification handler",
    goal: '≤ 0.5 / ≤ 0.6',
    checks: [
      { figure: 'claim/stdio/ours÷sdk', atMost: 0.5 },
      { figure: 'claim/http/ours÷sdk', atMost: 0.6 },
    ],
  },
  {
    id: 'growth',
    work: 'cost a chunk at 10⁶ chunks against 10⁴; cost a chunk and view at 50 views against 1',
    goal: 'no super-linear growth (≤ 1.5×)',
    checks: [
      { figure: 'growth/host/1000000÷10000', atMost: 1.5 },
      { figure: 'growth/view/1000000÷10000', atMost: 1.5 },
      { figure: 'growth/views/50÷1', atMost: 1.5 },
    ],
  },
];

/** Median against limit. A goal one of whose figures is missing is not measured, unless another fails it. */
export function judge(sheet: Pick<Sheet, 'get' | 'skipped'>): Judged[] {
  return GOALS.map((goal) => {
    const checks = goal.checks.map((check) => {
      const figure = sheet.get(check.figure);
      return { ...check, found: figure, ok: figure && keeps(figure, check) };
    });
    const missing = checks.some(({ found }) => !found);
    const failed = checks.some(({ ok }) => ok === false);
    const seen = checks.map(({ figure, found }) => {
      if (!found) return `${figure}: ${sheet.skipped[figure] ?? 'not in this run'}`;
      return `${figure}: ${show(found)}`;
    });
    return {
      ...goal,
      verdict: failed ? 'not met' : missing ? 'not measured' : 'met',
      seen: seen.join('; '),
    };
  });
}

function keeps(figure: Figure, { atMost = Infinity, atLeast = -Infinity }: Goal['checks'][number]): boolean {
  const { median } = summarize(figure.samples);
  return median <= atMost && median >= atLeast;
}

/** Median, quartiles and unit. */
export function show(figure: Figure): string {
  const { median, q1, q3, rounds } = summarize(figure.samples);
  const unit = figure.unit === '' || figure.unit === '×' ? figure.unit : ` ${figure.unit}`;
  return rounds < 2 ? `${digits(median)}${unit}` : `${digits(median)}${unit} (${digits(q1)}–${digits(q3)})`;
}

/** Three figures that count. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  return size >= 10 ? value.toFixed(1) : size >= 1 || size === 0 ? value.toFixed(2) : value.toPrecision(2);
}
