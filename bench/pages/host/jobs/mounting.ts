import { place } from '../link.ts';
import { openExt } from '../rivals/ext.ts';
import { openOurs } from '../rivals/ours.ts';

/** Milliseconds from nothing on the page until the first chunk was applied by a view that was just put there. */
export async function mounting({ rival }: { rival: 'ours' | 'ext' }): Promise<number> {
  const open = rival === 'ours' ? openOurs : openExt;
  const start = performance.now();
  const link = await open({ frames: 'double', config: {}, container: place(), coalesced: true });
  const { done } = await link.expect(5);
  link.send('first');
  await done;
  const ms = performance.now() - start;
  await link.close();
  return ms;
}
