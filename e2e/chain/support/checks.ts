import {
  PATCHES_META_KEY,
  TOOL_OUTPUT_PARTIAL_METHOD,
  UPSTREAM_META_KEY,
  type PartialToolResult,
} from '@mcp-apps-bridge/partial-results';
import { COALESCE_LIMITS, HISTORY_LIMITS, PACE_LIMITS } from '@mcp-apps-bridge/host-bridge';
import { REORDER_LIMITS } from '@mcp-apps-bridge/partial-results/stream';
import { atLeast, atMost, same } from './assert.ts';
import { epochOf, type Chain, type ChainOptions } from './chain.ts';
import { dump } from './consumers.ts';
import { referenceState, wholeRecords, type Group, type Part } from './reference.ts';
import type { Sample } from './samples.ts';

type Json = Record<string, unknown>;

/** The view shows exactly the fold that arrivals and reported gaps prescribe. */
export function checkShown(chain: Chain, sample: Sample): void {
  const { document } = chain;
  if (!document) return;
  document.runtime.flush();
  const partsOf = createPartsReader(chain, sample);
  const groups = document.ledger.applied.map(({ item, gap }): Group => ({ gap, parts: partsOf(item) }));
  same(dump(document.runtime.snapshot().state), referenceState(sample, groups, segmentsOf(chain)));
}

/** Once all is quiet nothing that arrived waits for what is missing: gaps were given up. */
export function checkNothingWaits(chain: Chain): void {
  same(chain.ledger.waiting, 0);
  same(chain.document?.ledger.waiting ?? 0, 0);
}

/** The view shows the fold of all the server has sent, nothing left out and nothing behind a gap. */
export function checkComplete(chain: Chain, sample: Sample): void {
  const { document } = chain;
  document!.runtime.flush();
  const numbers = sample.bodies.map((_, seq) => seq);
  const parts = numbers.map((number) => ({ number, content: true, structured: true }));
  const expected = referenceState(sample, [{ gap: false, parts }], [numbers]);
  same(dump(document!.runtime.snapshot().state), expected);
}

/**
 * Which of the server's chunks a message stands for. To a view without acks each of several merge patches
 * goes as a message of its own, all with one range, the first with the content.
 */
function createPartsReader(chain: Chain, sample: Sample): (message: PartialToolResult) => Part[] {
  const parts = new Map<string, Part[]>();
  const taken = new Map<string, Set<string>>();
  const have = chain.ledger.applied.map(({ seq }) => seq);
  for (const message of chunksOf(chain)) {
    const { first, last } = rangeOf(message);
    const showing = showingOf(message);
    const used = taken.get(showing) ?? new Set<string>();
    taken.set(showing, used);
    const single =
      message._meta![PATCHES_META_KEY] === undefined && sample.modes.structuredContent === 'merge-patch';
    let patches = single ? 1 : Infinity;
    parts.set(`${showing} ${message.seq}`, []);
    for (const number of have.filter((n) => n >= first && n <= last)) {
      const body = sample.bodies[number]!;
      const content = body.content !== undefined && !used.has(`content ${number}`);
      const structured =
        body.structuredContent !== undefined && !used.has(`structured ${number}`) && patches-- > 0;
      if (content) used.add(`content ${number}`);
      if (structured) used.add(`structured ${number}`);
      parts.get(`${showing} ${message.seq}`)!.push({ number, content, structured });
    }
  }
  return (message) => parts.get(`${showingOf(message)} ${message.seq}`)!;
}

function chunksOf(chain: Chain): PartialToolResult[] {
  return chain.sent
    .filter(({ method }) => method === TOOL_OUTPUT_PARTIAL_METHOD)
    .map(({ params }) => params as unknown as PartialToolResult);
}

function showingOf(message: PartialToolResult): string {
  return `${message.partialResultToken} ${epochOf(message as unknown as Json)}`;
}

/** The server's numbers the host had, cut where it gave some up. */
function segmentsOf(chain: Chain): number[][] {
  const segments: number[][] = [[]];
  for (const { seq, gap } of chain.ledger.applied) {
    if (gap) segments.push([]);
    segments.at(-1)!.push(seq);
  }
  return segments;
}

/**
 * The messages of every epoch stand for the server's chunks in order, each at most once; what they
 * leave out had nothing to show; and they skip one number for each gap of the host, no more (D2).
 */
export function checkMessages(chain: Chain, { sample, acks = true }: ChainOptions): void {
  const splits = !acks && sample.modes.structuredContent === 'merge-patch';
  const showings = new Map<string, PartialToolResult[]>();
  for (const message of chunksOf(chain)) {
    const key = showingOf(message);
    showings.set(key, [...(showings.get(key) ?? []), message]);
  }
  const whole = sample.kind === 'a2ui' ? wholeRecords(sample, segmentsOf(chain)) : undefined;
  for (const messages of showings.values()) {
    let before = { first: -1, last: -1 };
    let seq = -1;
    for (const message of messages) {
      const range = rangeOf(message);
      const repeated = range.last === before.last;
      const left = chain.ledger.applied
        .map((entry) => entry.seq)
        .filter((number) => number > before.last && number < range.first);
      const lost = chain.ledger.gaps.filter(({ last }) => last > before.last && last < range.last).length;
      // One patch of several may have left before the others, see above.
      if (splits) atLeast(range.first, before.first);
      else atLeast(range.first, before.last + 1);
      atLeast(range.last, range.first);
      same(
        left.filter((number) => !whole || whole.has(number)),
        [],
      );
      same(message.seq, seq + 1 + (repeated ? 0 : lost));
      seq = message.seq;
      before = range;
    }
  }
}

/** Every chunk is in exactly one place, at every hop. */
export function checkCounters(chain: Chain): void {
  const { output, feed, serverLink, document } = chain;
  const host = output.counters;
  same(host.received, serverLink.counts.delivered);
  same(
    host.received,
    host.rejected +
      host.duplicates +
      host.late +
      host.restarted +
      host.delivered +
      host.held +
      host.superseded +
      host.discarded,
  );
  same(host.rejected, 0);
  same(host.gaps, chain.ledger.gaps.length);
  const way = feed.counters;
  same(way.accepted, way.forwarded + way.merged + way.superseded + way.discarded + way.queued);
  same(way.forwarded, chunksOf(chain).length);
  if (!document) return;
  document.runtime.flush();
  const view = document.runtime.snapshot().counters;
  same(view.received, document.delivered);
  same(
    view.received,
    view.applied + view.rejected + view.duplicates + view.late + view.foreign + view.held + view.superseded,
  );
  same(view.rejected + view.foreign, 0);
}

/** No buffer is over its cap; called after every step. */
export function checkCaps(chain: Chain, { limits = {}, acks = true }: ChainOptions): void {
  const { output, feed, document } = chain;
  const reorder = { ...REORDER_LIMITS, ...limits.output?.reorder };
  const history = { ...HISTORY_LIMITS, ...limits.output?.history };
  const coalesce = { ...COALESCE_LIMITS, ...limits.feed?.coalesce };
  const pace = { ...PACE_LIMITS, ...limits.feed?.pace };
  atMost(output.counters.held, reorder.maxItems);
  const replay = { items: 0, bytes: 0 };
  output.subscribe({
    chunk({ bytes }) {
      replay.items++;
      replay.bytes += bytes;
    },
  })();
  atMost(replay.items, history.maxItems);
  atMost(replay.bytes, history.maxBytes);
  // What is replayed comes from the history, which has a cap of its own.
  atMost(feed.counters.queued, coalesce.maxItems + history.maxItems);
  atMost(feed.counters.inFlight, acks ? pace.maxFrames : 0);
  if (acks && feed.counters.inFlight > 1) {
    const last = chain.sent.findLast(({ method }) => method === TOOL_OUTPUT_PARTIAL_METHOD)!;
    const slack = JSON.stringify(last.params).length * 2 + 2_000;
    atMost(chain.bytesInFlight(), pace.highBytes + slack);
  }
  document?.runtime.flush();
  if (document) atMost(document.runtime.snapshot().counters.held, REORDER_LIMITS.maxItems);
}

function rangeOf(message: PartialToolResult): { first: number; last: number } {
  const [first, last] = (message._meta as Json)[UPSTREAM_META_KEY] as [number, number];
  return { first, last };
}
