import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/* Global setup of the unit tests. A fixture server of one file starts in a quarter of the time, and some hundred start. */

const SERVERS = ['server-v2', 'server-v1', 'server-tasks'];
let folder: string | undefined;

/** Bundles the fixture servers; where they are goes into `FIXTURE_SERVERS`, for {@link serverCommand}. */
export async function setup(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'fixture-servers-'));
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: {
        input: SERVERS.map((name) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  });
  process.env['FIXTURE_SERVERS'] = folder;
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
