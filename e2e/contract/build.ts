import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const DIST: string = here('./dist');

const common: InlineConfig = {
  configFile: false,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
};
const target = ['es2022', 'chrome120', 'firefox121', 'safari17.5'];

/** Builds the pages of the host and the app they show, which is one HTML file as a `ui://` resource must be. */
export async function buildContract(): Promise<void> {
  await build({
    ...common,
    root: here('./host'),
    plugins: [react()],
    build: {
      outDir: here('./dist/host'),
      emptyOutDir: true,
      target,
      chunkSizeWarningLimit: 4_000,
      rollupOptions: { input: ['index', 'pressure', 'burst'].map((name) => here(`./host/${name}.html`)) },
    },
  });
  await build({
    ...common,
    root: here('./app'),
    plugins: [viteSingleFile({ removeViteModuleLoader: true })],
    build: { outDir: here('./dist/app'), emptyOutDir: true, target, chunkSizeWarningLimit: 4_000 },
  });
}
