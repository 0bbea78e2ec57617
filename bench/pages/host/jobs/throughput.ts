import { turn } from '../../shared/protocol.ts';
import { place, type Link } from '../link.ts';
import { closeAll, rival } from '../rivals/all.ts';
import type { OurLink } from '../rivals/ours.ts';

interface Trial {
  rival: string;
  frames: 'single' | 'double';
  bytes: number;
  count: number;
  /** Chunks handed in before other tasks get their turn, as one read from a wire brings several. */
  burst: number;
  /** Close all frames instead. */
  close?: boolean;
}

const linkOf = async ({ rival: name, frames }: Trial): Promise<Link> =>
  rival(name, `${name} ${frames}`, { frames, config: {}, container: place() });

/** Milliseconds until the view has applied `count` chunks, and the messages that carried them, if counted. */
export async function throughput(trial: Trial): Promise<{ ms: number; messages?: number } | undefined> {
  if (trial.close) {
    await closeAll();
    return undefined;
  }
  const link = await linkOf(trial);
  const text = 'x'.repeat(trial.bytes);
  const { done } = await link.expect(trial.bytes * trial.count);
  const before = forwarded(link);
  const start = performance.now();
  for (let sent = 0; sent < trial.count;) {
    for (const end = Math.min(trial.count, sent + trial.burst); sent < end; sent++) link.send(text);
    if (sent < trial.count) await turn();
  }
  await done;
  const ms = performance.now() - start;
  return before === undefined ? { ms } : { ms, messages: forwarded(link)! - before };
}

/** One payload, alone on an idle path, several times: milliseconds until it was applied, median. */
export async function largePayload(trial: Trial): Promise<{ ms: number }> {
  const link = await linkOf(trial);
  const text = 'x'.repeat(trial.bytes);
  const times: number[] = [];
  for (let i = 0; i < trial.count; i++) {
    const { done } = await link.expect(trial.bytes);
    const start = performance.now();
    link.send(text);
    await done;
    times.push(performance.now() - start);
  }
  return { ms: times.sort((a, b) => a - b)[times.length >> 1]! };
}

/** Each view's stream goes on where it stopped: a gap would make it wait. */
const timed = new Map<string, number>();

/** Microseconds a view spends on one message, measured inside it. */
export async function viewTime(trial: Trial): Promise<number> {
  const link = await linkOf({ ...trial, frames: 'double' });
  await link.ask('expect', { chars: Infinity });
  const from = timed.get(trial.rival) ?? 0;
  timed.set(trial.rival, from + trial.count);
  return link.ask<number>('time', { count: trial.count, bytes: trial.bytes, from });
}

const forwarded = (link: Link): number | undefined => (link as Partial<OurLink>).feed?.()?.counters.forwarded;
