/*
 * CPU a client spends on one chunk, from the read to the callback, over stdio and HTTP: our claim at the transport
 * against the SDK's own notification handler with its schema. Server and client are processes of their own; the
 * client's time is what its process used.
 */
import { fileURLToPath } from 'node:url';
import { rounds, scaled, type Bench, type Scenario } from '../lib/scenario.ts';
import { startClaimClient } from '../harness/claim-client-process.ts';

const CHARS = 200;

async function measure(bench: Bench, over: 'stdio' | 'http', target: string): Promise<void> {
  const { sheet } = bench;
  const client = await startClaimClient(target);
  const count = scaled(bench, 20_000, 200);
  try {
    for (const how of ['ours', 'sdk']) await client.run({ how, count: Math.ceil(count / 4), chars: CHARS });
    await rounds(bench, ['sdk', 'ours'], async (how) => {
      const { cpuMs, received } = await client.run({ how, count, chars: CHARS });
      bench.assert(`claim/${over}/${how}: every chunk reaches the callback`, received === count, {
        received,
        count,
      });
      sheet.add(`claim/${over}/${how}`, (cpuMs * 1_000) / count, { unit: 'µs', better: 'lower' });
    });
  } finally {
    client.close();
  }
  sheet.ratio(`claim/${over}/ours÷sdk`, `claim/${over}/ours`, `claim/${over}/sdk`, 'lower');
}

export const claim: Scenario = {
  name: 'claim',
  async run(bench) {
    await measure(bench, 'stdio', fileURLToPath(new URL('../harness/mcp-server.ts', import.meta.url)));
    await measure(bench, 'http', `${bench.servers.host}/mcp`);
  },
};
