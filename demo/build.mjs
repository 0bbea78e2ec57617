// Builds the host page and the three apps into dist/. Each app is one HTML file, as a `ui://` resource
// must be. `node demo/build.mjs [name…]` builds some of them only.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What all four have in common. */
const common = /** @satisfies {import('vite').InlineConfig} */ ({
  configFile: false,
  logLevel: 'warn',
  // Both SDK generations guard their development checks with it.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
});
const target = ['es2022', 'chrome120', 'firefox121', 'safari17.5'];

const APPS = ['dashboard', 'report', 'runner'];
const asked = process.argv.slice(2);
const wanted = asked.length === 0 ? ['host', ...APPS] : asked;

for (const name of wanted) {
  if (name === 'host') {
    await build({
      ...common,
      root: here('./src/host'),
      plugins: [react()],
      build: { outDir: here('./dist/host'), emptyOutDir: true, target, chunkSizeWarningLimit: 2_000 },
    });
  } else if (APPS.includes(name)) {
    await build({
      ...common,
      root: here(`./src/apps/${name}`),
      plugins: [viteSingleFile({ removeViteModuleLoader: true })],
      build: { outDir: here(`./dist/apps/${name}`), emptyOutDir: true, target, chunkSizeWarningLimit: 2_000 },
    });
  } else {
    throw new Error(`There is no "${name}" to build; there are host, ${APPS.join(', ')}.`);
  }
  process.stderr.write(`built ${name}\n`);
}
