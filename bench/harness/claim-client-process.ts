import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Spent } from './claim-client.ts';

export interface ClaimClient {
  run(order: Order): Promise<Spent>;
  close(): void;
}

/** Starts a client and connects it. @param target address of an endpoint, or the script of a server for stdio. */
export async function startClaimClient(target: string): Promise<ClaimClient> {
  const script = fileURLToPath(new URL('./claim-client.ts', import.meta.url));
  const child = fork(script, [target], { execArgv: ['--import', import.meta.resolve('tsx')] });
  await once(child, 'message');
  return {
    async run(order) {
      child.send(order);
      const [spent] = (await once(child, 'message')) as [Spent];
      return spent;
    },
    close: () => child.disconnect(),
  };
}
