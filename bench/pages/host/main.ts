/* The host page: takes jobs from the benchmark's server, one at a time, and answers what came out. */
import { growth } from './jobs/growth.ts';
import { latency } from './jobs/latency.ts';
import { largePayload, throughput, viewTime } from './jobs/throughput.ts';
import { guards, sanitizing } from './jobs/checks.ts';
import { mounting } from './jobs/mounting.ts';
import { rendering } from './jobs/rendering.ts';
import { slowView } from './jobs/slow-view.ts';

const jobs: Record<string, (options: never) => Promise<unknown>> = {
  throughput,
  'view-time': viewTime,
  'large-payload': largePayload,
  latency,
  'slow-view': slowView,
  rendering,
  sanitizing,
  guards,
  mounting,
  growth,
};

const page = new URLSearchParams(location.search).get('page') ?? '';
/* The bundled transport of ext-apps logs each message on this side too. */
const debug = console.debug;

async function work(): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`/next?page=${page}`);
      const { name, options } = (await response.json()) as { name: string; options: { shipped?: boolean } };
      console.debug = options.shipped === true ? debug : () => undefined;
      const answer = await run(name, options);
      await fetch(`/done?page=${page}`, { method: 'POST', body: JSON.stringify(answer) });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

async function run(name: string, options: unknown): Promise<{ value?: unknown; error?: string }> {
  try {
    const job = jobs[name];
    if (!job) throw new Error(`no job is called ${name}`);
    return { value: await job(options as never) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

void work();
