/*
 * Where a job of the benchmark spends its time: `node --import tsx bench/profile.ts JOB OPTIONS`, with the options
 * as JSON, as the scenario passes them. For instance:
 *
 *   node --import tsx bench/profile.ts throughput \
 *     '{"rival":"window","frames":"double","bytes":200,"count":20000,"burst":16}'
 *
 * The job runs once to be warm, then once more while it is sampled; bundles keep their names for it. Times are of
 * code that is not minified and of a browser with a debugger: shares are what counts.
 */
import { openDebuggedPage } from './harness/browser.ts';
import { buildPages } from './harness/build.ts';
import { serve } from './harness/serve.ts';

const [job = 'throughput', json = '{}'] = process.argv.slice(2);
const options = JSON.parse(json) as object;

await buildPages(false);
const servers = await serve();
const page = await openDebuggedPage(servers);
try {
  await page.run(job, options);
  for (const { target, busyMs, functions } of await page.profile(job, options)) {
    if (busyMs < 1) continue;
    console.log(`\n${target.slice(0, 60)}: ${busyMs.toFixed(0)} ms`);
    for (const { name, file, ms } of functions.slice(0, 25)) {
      console.log(`${((ms / busyMs) * 100).toFixed(1).padStart(6)} %  ${name}  ${file}`);
    }
  }
} finally {
  await page.close();
  servers.close();
}
