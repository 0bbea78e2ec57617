import type { Link } from '../link.ts';
import { openComlink } from './comlink.ts';
import { openExt } from './ext.ts';
import { openOurs } from './ours.ts';
import { openPenpal } from './penpal.ts';
import { openRaw } from './raw.ts';
import type { OpenOptions } from './types.ts';

/**
 * Everything that carries chunks. `port` is not among them: the bridge has no port path yet. Once it has, it is
 * `openOurs` with that path asked for, and `PORT_PATH` in the scenario becomes true.
 */
const RIVALS: Record<string, (options: OpenOptions) => Promise<Link>> = {
  raw: openRaw,
  plain: (options) => openOurs({ ...options, coalesced: false }),
  window: (options) => openOurs({ ...options, coalesced: true }),
  ext: openExt,
  'ext-as-shipped': ({ config, ...options }) => openExt({ ...options, config: { ...config, silent: false } }),
  penpal: openPenpal,
  comlink: openComlink,
};

/** Frames stay open between the rounds of a scenario: a trial is of a path that is warm. */
const open = new Map<string, Promise<Link>>();

export async function rival(name: string, key: string, options: OpenOptions): Promise<Link> {
  const make = RIVALS[name];
  if (!make) throw new Error(`no rival is called ${name}`);
  const known = open.get(key) ?? make(options);
  open.set(key, known);
  return known;
}

export async function closeAll(): Promise<void> {
  for (const link of open.values()) await (await link).close();
  open.clear();
}
