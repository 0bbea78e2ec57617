import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const DIST: string = here('./dist');

/** Builds the host page. */
export async function buildAttacks(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    root: here('./host'),
    build: {
      outDir: DIST,
      emptyOutDir: true,
      target: ['es2022', 'chrome120', 'firefox121', 'safari17.5'],
      chunkSizeWarningLimit: 4_000,
    },
  });
}
