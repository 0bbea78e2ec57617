import { createAppView, createToolOutput } from '@mcp-apps-bridge/host-bridge';
import { systemScheduler, type Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { settle, until } from '../../packages/host-bridge/src/testing/proxy-frame.ts';
import {
  createViewServer,
  sdkView,
  type ViewServer,
} from '../../packages/host-bridge/src/testing/view-server.ts';

/** Calls in the suite; `VITE_SOAK_CALLS=5000` runs longer. */
const CALLS = Number(import.meta.env['VITE_SOAK_CALLS'] ?? 200);
/** Caches fill during the first ones. */
const WARM_UP = 20;
const CHUNKS = 400;

interface Session {
  send(method: string, params?: object): Promise<unknown>;
}

let server: ViewServer;
let pending = 0;

beforeAll(async () => {
  server = await createViewServer(sdkView(2, `app.ontoolresult = () => {};`));
});

afterAll(() => server.close());

/** The real clock, counting what has not run yet. */
const scheduler: Scheduler = {
  now: systemScheduler.now,
  delay: (ms, run) => counted((done) => systemScheduler.delay(ms, done), run),
  macrotask: (run) => counted((done) => systemScheduler.macrotask(done), run),
};

function counted(schedule: (run: () => void) => () => void, run: () => void): () => void {
  let open = true;
  const close = (): void => {
    if (open) pending--;
    open = false;
  };
  pending++;
  const cancel = schedule(() => {
    close();
    run();
  });
  return () => {
    close();
    cancel();
  };
}

/** One call with a flood, ended in one of five ways. */
async function call(nth: number): Promise<void> {
  const container = document.createElement('div');
  document.body.append(container);
  const output = createToolOutput({ modes: { content: 'append' }, scheduler });
  const view = createAppView({
    client: server.client,
    tool: server.tool,
    sandbox: { url: `${inject('sandboxServers').sandbox}/proxy` },
    container,
    call: output,
    scheduler,
  });
  output.input({ nth });
  const way = nth % 5;
  // Way 0 leaves before the handshake.
  if (way > 0) await until(() => view.status === 'ready');
  for (let seq = 0; seq < CHUNKS; seq++) {
    const text = `${nth} ${seq} `.repeat(20);
    // A hole that is never filled leaves a timer to clean up.
    output.push({
      partialResultToken: 't',
      seq: seq < 300 ? seq : seq + 1,
      content: [{ type: 'text', text }],
    });
  }
  if (way === 2) output.finish({ content: [{ type: 'text', text: 'end' }] });
  if (way === 3) output.cancel();
  if (way === 4) output.fail(new Error('gone'));
  await view.close();
  output.close();
  container.remove();
}

async function measure(): Promise<Record<string, number>> {
  const session = cdp() as Session;
  await settle();
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = (await session.send('Performance.getMetrics')) as {
    metrics: { name: string; value: number }[];
  };
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

test(`${CALLS} calls with floods, mounted and unmounted, leave heap, nodes, listeners, frames and timers as they were (case 67)`, async () => {
  await (cdp() as Session).send('Performance.enable');
  for (let nth = 0; nth < WARM_UP; nth++) await call(nth);
  const before = await measure();
  for (let nth = 0; nth < CALLS; nth++) await call(nth);
  const after = await measure();
  const grown = (name: string): number => after[name]! - before[name]!;
  expect(pending).toBe(0);
  expect(document.querySelectorAll('iframe')).toHaveLength(0);
  // Detached frames and documents would show here, one or more a call.
  expect(grown('Frames')).toBeLessThanOrEqual(2);
  expect(grown('Documents')).toBeLessThanOrEqual(5);
  expect(grown('Nodes')).toBeLessThanOrEqual(20);
  expect(grown('JSEventListeners')).toBeLessThanOrEqual(10);
  // The text of one call alone is 60 kB: a tenth of it kept would show.
  expect(grown('JSHeapUsedSize')).toBeLessThanOrEqual(1_000_000 + CALLS * 2_000);
}, 600_000);
