import { describe, expect, test } from 'vitest';
import type { Query } from '../data/aggregate.ts';
import { loadRows } from '../data/load-rows.ts';
import type { A2uiMessage } from './a2ui.ts';
import { toJsonl } from './a2ui.ts';
import { dashboardMessages, dashboardSteps, dashboardText, rowCount } from './dashboard.ts';
import type { DashboardData } from './dashboard-data.ts';
import { tokens, writeProse } from './prose.ts';

const rows = loadRows();
const queries: Query[] = [
  { year: 2025, quarter: 2 },
  { year: 2025, quarter: 4, region: 'Latin America' },
];

/** The state that a list of messages leaves, by the plainest reading of A2UI 0.9. */
function apply(messages: readonly A2uiMessage[]): {
  components: Map<string, unknown>;
  data: Record<string, unknown>;
} {
  const components = new Map<string, unknown>();
  let data: Record<string, unknown> = {};
  for (const message of messages) {
    for (const component of message.updateComponents?.components ?? [])
      components.set(component.id, component);
    const update = message.updateDataModel;
    if (update?.path === '/') data = update.value as Record<string, unknown>;
    else if (update !== undefined) data[update.path.slice(1)] = update.value;
  }
  return { components, data };
}

describe.each(queries)('the dashboard of Q$quarter $region', (query) => {
  const steps = [...dashboardSteps(rows, query)];

  test('is streamed to the state that its final result holds', () => {
    expect(apply(steps.flat())).toEqual(apply(dashboardMessages(rows, query)));
  });

  test('shows its frame first, its cards before any data, and its insights last', () => {
    const kinds = steps.flat().map((message) => message.updateDataModel?.path ?? Object.keys(message)[1]);
    expect(kinds.slice(0, 2)).toEqual(['createSurface', 'updateComponents']);
    expect(kinds.lastIndexOf('updateComponents')).toBeLessThan(kinds.indexOf('/kpis'));
    expect(kinds.lastIndexOf('/kpis')).toBeLessThan(kinds.indexOf('/insights'));
    expect(kinds.at(-1)).toBe('/busy');
  });

  test('counts the rows that were really read, step by step', () => {
    const done = steps
      .flat()
      .filter((message) => message.updateDataModel?.path === '/meter')
      .map((message) => (message.updateDataModel!.value as DashboardData['meter']).done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(new Set(done).size).toBe(done.length);
    expect(done.at(-1)).toBe(rowCount(rows, query));
  });

  test('names only components that exist', () => {
    const { components } = apply(dashboardMessages(rows, query));
    const ids = [...components.values()].flatMap((component) => {
      const { children, child } = component as { children?: string[]; child?: string };
      return [...(children ?? []), ...(child === undefined ? [] : [child])];
    });
    for (const id of ids) expect([...components.keys()]).toContain(id);
    expect(new Set(['root', ...ids])).toEqual(new Set(components.keys()));
  });
});

test('the final is the same bytes each time', () => {
  const query: Query = { year: 2025, quarter: 2 };
  expect(toJsonl(dashboardMessages(rows, query))).toBe(toJsonl(dashboardMessages(loadRows(), query)));
  expect(dashboardText(rows, query)).toContain('$40.81M (+10.2% vs Q1 2025)');
});

test('prose comes apart into tokens and back together', () => {
  const text = writeProse(rows, { year: 2025, quarter: 2 });
  expect(tokens(text).join('')).toBe(text);
  expect(tokens(text).length).toBeGreaterThan(150);
  expect(text).not.toMatch(/undefined|NaN/);
});
