import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const DIST: string = here('../dist');
/** Pages that are shown in a frame; each is one file, as a `ui://` resource must be. */
const VIEWS = ['raw', 'ours', 'ext', 'penpal', 'comlink', 'paint', 'relay'];

const common: InlineConfig = {
  configFile: false,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
};
const options = { emptyOutDir: false, target: 'chrome120', chunkSizeWarningLimit: 4_000 };

/** @param minify false keeps the names of functions and files, for a profile. */
export async function buildPages(minify = true): Promise<void> {
  const root = here('../pages/host');
  const rollupOptions = minify ? {} : { experimental: { attachDebugInfo: 'simple' as const } };
  const outDir = `${DIST}/host`;
  await build({ ...common, root, build: { ...options, minify, rollupOptions, outDir, emptyOutDir: true } });
  for (const view of VIEWS) {
    await build({
      ...common,
      root: here('../pages/views'),
      // The production build of React counts no commits.
      resolve: { alias: { 'react-dom/client': 'react-dom/profiling' } },
      plugins: [react(), viteSingleFile({ removeViteModuleLoader: true })],
      build: {
        ...options,
        minify,
        outDir: `${DIST}/views`,
        rollupOptions: { ...rollupOptions, input: here(`../pages/views/${view}.html`) },
      },
    });
  }
}

/** The core of app-runtime as a view bundles it: size of the code and the modules that are not ours. */
export async function measureCore(): Promise<{ bytes: number; foreign: string[] }> {
  const built = await build({
    ...common,
    build: {
      ...options,
      write: false,
      minify: true,
      // Not as a library: vite leaves the white space in those.
      rollupOptions: {
        input: here('./core-entry.ts'),
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('vite built no core');
  const chunks = output.output.filter((file) => file.type === 'chunk');
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  return {
    bytes: chunks.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0),
    foreign: modules.filter((id) => id.includes('node_modules')),
  };
}
