import { aggregate, batches, createAggregate, groupNames } from '../data/aggregate.ts';
import type { Query, Totals } from '../data/aggregate.ts';
import type { Row } from '../data/rows.ts';
import { surfaceMessages } from './a2ui.ts';
import type { A2uiMessage, Component } from './a2ui.ts';
import { emptyData, fullData, groups, insights, kpis, meter, table, trend } from './dashboard-data.ts';
import type { Insight } from './dashboard-data.ts';
import { cardComponents, frameComponents } from './dashboard-layout.ts';

export const SURFACE_ID = 'revenue';
const surface = surfaceMessages(SURFACE_ID);

/**
 * The dashboard as it comes to be: the frame and the cards, row by row, then what the rows read so far add up
 * to, then what only finished totals can tell. Each step is the messages of one chunk. Work is done between steps,
 * so a caller that stops asking stops the work.
 */
export function* dashboardSteps(rows: readonly Row[], query: Query): Generator<A2uiMessage[]> {
  const work = batches(rows, query);
  const total = work.reduce((sum, batch) => sum + batch.length, 0);
  const known = Object.entries(emptyData(query, total)).map(([key, value]) => surface.data(`/${key}`, value));
  const cards = cardComponents(query);
  yield [surface.create(), surface.components(frameComponents()), ...known, surface.components(cards.kpis)];
  yield [surface.components(cards.charts)];
  yield [surface.components(cards.details)];

  const sums = createAggregate(query);
  const perWeek = groupNames(query).length;
  for (const [index, batch] of work.entries()) {
    sums.add(batch);
    const messages = [
      surface.data('/meter', meter(sums.totals.rows, total)),
      surface.data('/kpis', kpis(sums.totals)),
    ];
    // A week is a point of the line once all of it was read; a part of one would look like a fall.
    if ((index + 1) % perWeek === 0) messages.push(surface.data('/trend', trend(sums.totals, query)));
    const weeksRead = Math.ceil((index + 1) / perWeek);
    messages.push(surface.data('/groups', groups(sums.totals, (weeksRead * perWeek) / work.length)));
    yield messages;
  }
  yield* finishingSteps(sums.totals, query);
}

function* finishingSteps(totals: Totals, query: Query): Generator<A2uiMessage[]> {
  const rows = table(totals);
  for (let count = 1; count <= rows.length; count++) yield [surface.data('/table', rows.slice(0, count))];
  const shown: Insight[] = [];
  for (const insight of insights(totals, query)) {
    const words = insight.text.split(' ');
    for (let count = 3; count < words.length + 3; count += 3) {
      yield [surface.data('/insights', [...shown, { ...insight, text: words.slice(0, count).join(' ') }])];
    }
    shown.push(insight);
  }
  yield [surface.data('/busy', false)];
}

/** The finished dashboard, whole: what the final result carries, whether or not a step was ever sent. */
export function dashboardMessages(rows: readonly Row[], query: Query): A2uiMessage[] {
  const data = fullData(aggregate(rows, query), query);
  return [
    surface.create(),
    surface.components([...frameComponents(), ...allCards(query)]),
    surface.data('/', data),
  ];
}

/** What turns a surface that shows another query into this one: the cards whose shape depends on it, and the data. */
export function updateMessages(rows: readonly Row[], query: Query): A2uiMessage[] {
  const data = fullData(aggregate(rows, query), query);
  return [surface.components(allCards(query)), surface.data('/', data)];
}

function allCards(query: Query): Component[] {
  const { kpis, charts, details } = cardComponents(query);
  return [...kpis, ...charts, ...details];
}

/** The same for a reader without a UI. */
export function dashboardText(rows: readonly Row[], query: Query): string {
  const data = fullData(aggregate(rows, query), query);
  const { revenue, margin, orders, average } = data.kpis;
  return [
    `${data.title}: ${revenue.value} (${revenue.change} ${data.comparison}), gross margin ${margin.value} ` +
      `(${margin.change}), ${orders.value} orders (${orders.change}), average order ${average.value}.`,
    ...data.insights.map(({ text }) => `• ${text}`),
  ].join('\n');
}

/** How many rows stand behind a query, 0 when the file has no such quarter. */
export function rowCount(rows: readonly Row[], query: Query): number {
  return batches(rows, query).reduce((sum, batch) => sum + batch.length, 0);
}
