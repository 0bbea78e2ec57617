import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAppRuntime } from '@mcp-apps-bridge/app-runtime';
import type { AppRuntime } from '@mcp-apps-bridge/app-runtime';
import { mountA2ui } from '@mcp-apps-bridge/app-runtime/a2ui';
import type { A2uiAction, A2uiState, A2uiView } from '@mcp-apps-bridge/app-runtime/a2ui';
import csv from '../../../data/revenue.csv?raw';
import { parseRows } from '../../data/rows.ts';
import { a2uiBlock, toJsonl } from '../../report/a2ui.ts';
import type { A2uiMessage } from '../../report/a2ui.ts';
import { dashboardMessages, dashboardSteps, SURFACE_ID, updateMessages } from '../../report/dashboard.ts';
import { dashboardCatalog } from './catalog/index.ts';

const rows = parseRows(csv);
const query = { year: 2025, quarter: 2 } as const;
const steps = [...dashboardSteps(rows, query)];

let host: HTMLElement;
let view: A2uiView;
let runtime: AppRuntime<A2uiState>;
let actions: A2uiAction[];
let problems: string[];

beforeEach(() => {
  host = document.body.appendChild(document.createElement('main'));
  actions = [];
  problems = [];
  view = mountA2ui(host, {
    catalogs: [dashboardCatalog],
    onAction: (action) => actions.push(action),
    onProblem: ({ code, message }) => problems.push(`${code}: ${message}`),
  });
  runtime = createAppRuntime({ consumer: view.consumer, onChange: view.update, modes: { content: 'jsonl' } });
});
afterEach(() => {
  runtime.close();
  view.close();
  host.remove();
});

const content = (messages: readonly A2uiMessage[]): ReturnType<typeof a2uiBlock>[] => [
  a2uiBlock(SURFACE_ID, toJsonl(messages)),
];

function stream(from: number, to: number): void {
  for (let seq = from; seq < to; seq++) {
    runtime.receive({ partialResultToken: 't', seq, content: content(steps[seq]!) });
  }
  runtime.flush();
}

/** Every element below `root`, through shadow roots. */
function* deep(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* deep(element.shadowRoot);
  }
}
const all = (selector: string): Element[] => [...deep(host)].filter((element) => element.matches(selector));
const texts = (selector: string): string[] =>
  all(selector).map((element) => element.textContent?.trim() ?? '');

test('shows its layout with places held, fills them, and ends with none left over', async () => {
  stream(0, 3);
  await vi.waitFor(() => expect(texts('h4')).toContain('What stands out'));
  expect(all('.skeleton').length).toBeGreaterThan(20);
  const height = host.scrollHeight;

  stream(3, steps.length);
  await vi.waitFor(() => expect(texts('.value')[0]).toBe('$40.81M'));
  await vi.waitFor(() => expect(all('.skeleton')).toEqual([]));
  expect(host.scrollHeight).toBe(height);
  expect(problems).toEqual([]);
});

test('the final changes nothing that is on the page', async () => {
  stream(0, steps.length);
  await vi.waitFor(() => expect(all('.skeleton')).toEqual([]));
  const before = [...deep(host)];
  runtime.finish({ content: content(dashboardMessages(rows, query)) });
  runtime.flush();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(before.filter((element) => !element.isConnected).map((element) => element.outerHTML)).toEqual([]);
});

test('a choice is an action with what was chosen, and the answer changes the surface', async () => {
  runtime.finish({ content: content(dashboardMessages(rows, query)) });
  runtime.flush();
  const button = await vi.waitFor(() => {
    const found = all('button').find((element) => element.textContent?.trim() === 'Europe');
    expect(found).toBeDefined();
    return found as HTMLButtonElement;
  });
  expect(button.disabled).toBe(false);
  button.click();
  await vi.waitFor(() => expect(actions).toHaveLength(1));
  expect(actions[0]).toMatchObject({
    name: 'choose_regions',
    surfaceId: SURFACE_ID,
    context: { region: 'Europe', quarter: 'Q2', year: 2025 },
  });

  view.answer({ content: content(updateMessages(rows, { ...query, region: 'Europe' })) });
  await vi.waitFor(() => expect(texts('h4')).toContain('Revenue by product'));
  await vi.waitFor(() => expect(texts('.value')[0]).toBe('$11.06M'));
  expect(button.getAttribute('aria-pressed')).toBe('true');
});

test('nothing can be chosen while the dashboard is still built', async () => {
  stream(0, 10);
  await vi.waitFor(() => expect(all('button').length).toBeGreaterThan(5));
  expect(all('button:not(:disabled)')).toEqual([]);
});
