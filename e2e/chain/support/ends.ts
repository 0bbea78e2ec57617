import { LAST_CHUNK_META_KEY } from '@mcp-apps-bridge/partial-results';
import { createChain, type Chain, type ChainOptions, type MakeRuntime } from './chain.ts';
import { dump } from './consumers.ts';

/** What a user sees, and what the view knows of how the call ended. */
export function whatIsShown(chain: Chain): Record<string, unknown> {
  chain.document!.runtime.flush();
  const { state, status, error, incomplete, result } = chain.document!.runtime.snapshot();
  const { [LAST_CHUNK_META_KEY]: _, ...meta } = result?._meta ?? {};
  return { state: dump(state), status, error, incomplete, result: { ...result, _meta: meta } };
}

/** What a view shows that got nothing but the result, over a link without faults. */
export function finalOnly(
  { options: { sample, acks = true } }: { options: ChainOptions },
  makeRuntime?: MakeRuntime,
): Record<string, unknown> {
  const chain = createChain({ sample, seed: 0, acks }, makeRuntime);
  chain.load();
  chain.output.finish(sample.result);
  chain.scheduler.advance(1_000);
  const shown = whatIsShown(chain);
  chain.close();
  return shown;
}
