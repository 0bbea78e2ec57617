import type { Query } from '../data/aggregate.ts';
import { REGIONS } from '../data/rows.ts';
import type { Component } from './a2ui.ts';

const bound = (path: string): { path: string } => ({ path });

const KPIS = ['revenue', 'margin', 'orders', 'average'] as const;
export type KpiName = (typeof KPIS)[number];

const KPI_LABELS: Record<KpiName, string> = {
  revenue: 'Revenue',
  margin: 'Gross margin',
  orders: 'Orders',
  average: 'Average order',
};

function panel(id: string, title: string, caption: string, child: Component): Component[] {
  return [
    { id, component: 'Card', child: `${id}-body` },
    { id: `${id}-body`, component: 'Column', children: [`${id}-heading`, child.id] },
    { id: `${id}-heading`, component: 'Column', children: [`${id}-title`, `${id}-caption`] },
    { id: `${id}-title`, component: 'Text', variant: 'h4', text: title },
    { id: `${id}-caption`, component: 'Text', variant: 'caption', text: bound(caption) },
    child,
  ];
}

/** The frame: everything but the contents of cards, so that it can be on screen first. */
export function frameComponents(): Component[] {
  return [
    { id: 'root', component: 'Column', children: ['header', 'toolbar', 'kpis', 'charts', 'details'] },
    { id: 'header', component: 'Column', children: ['title', 'meter'] },
    { id: 'title', component: 'Text', variant: 'h2', text: bound('/title') },
    {
      id: 'meter',
      component: 'Meter',
      done: bound('/meter/done'),
      total: bound('/meter/total'),
      label: bound('/meter/label'),
    },
    { id: 'toolbar', component: 'Grid', variant: 'toolbar', children: ['regions', 'quarters'] },
    picker('regions', 'Region', '/query/region', [
      { value: 'all', label: 'All regions' },
      ...REGIONS.map((region) => ({ value: region, label: region })),
    ]),
    picker(
      'quarters',
      'Quarter',
      '/query/quarter',
      [1, 2, 3, 4].map((n) => ({ value: `Q${n}`, label: `Q${n}` })),
    ),
    { id: 'kpis', component: 'Grid', variant: 'kpis', children: KPIS.map((name) => `kpi-${name}`) },
    { id: 'charts', component: 'Grid', variant: 'split', children: ['trend', 'groups'] },
    { id: 'details', component: 'Grid', variant: 'split', children: ['table', 'insights'] },
  ];
}

/** A choice is an action: the server answers with the updates for the surface. */
function picker(
  id: string,
  label: string,
  path: string,
  options: { value: string; label: string }[],
): Component {
  return {
    id,
    component: 'Segmented',
    label,
    options,
    value: bound(path),
    disabled: bound('/busy'),
    action: {
      event: {
        name: `choose_${id}`,
        context: {
          region: bound('/query/region'),
          quarter: bound('/query/quarter'),
          year: bound('/query/year'),
        },
      },
    },
  };
}

/** The contents of the cards, with their places for data that is still to come; by the rows they stand in. */
export function cardComponents(query: Query): {
  kpis: Component[];
  charts: Component[];
  details: Component[];
} {
  const kpis = KPIS.flatMap((name): Component[] => [
    { id: `kpi-${name}`, component: 'Card', child: `kpi-${name}-body` },
    {
      id: `kpi-${name}-body`,
      component: 'Kpi',
      label: KPI_LABELS[name],
      value: bound(`/kpis/${name}/value`),
      change: bound(`/kpis/${name}/change`),
      trend: bound(`/kpis/${name}/trend`),
      note: bound('/comparison'),
    },
  ]);
  const charts = [
    ...panel('trend', 'Revenue by week', '/captions/trend', {
      id: 'trend-chart',
      component: 'LineChart',
      description: 'Revenue by week of the quarter, with the quarter before',
      slots: 13,
      series: bound('/trend'),
    }),
    ...panel(
      'groups',
      query.region === undefined ? 'Revenue by region' : 'Revenue by product',
      '/captions/groups',
      {
        id: 'groups-chart',
        component: 'BarChart',
        description: 'Revenue by group, with the quarter before',
        slots: query.region === undefined ? REGIONS.length : 3,
        max: bound('/groups/max'),
        bars: bound('/groups/bars'),
      },
    ),
  ];
  const details = [
    ...panel('table', 'Breakdown', '/captions/table', {
      id: 'table-grid',
      component: 'DataTable',
      slots: query.region === undefined ? REGIONS.length + 1 : 4,
      columns: [
        { key: 'name', label: query.region === undefined ? 'Region' : 'Product' },
        { key: 'revenue', label: 'Revenue', align: 'end' },
        { key: 'share', label: 'Share', align: 'end' },
        { key: 'margin', label: 'Margin', align: 'end' },
        { key: 'change', label: 'Change', align: 'end', tone: true },
      ],
      rows: bound('/table'),
    }),
    ...panel('insights', 'What stands out', '/captions/insights', {
      id: 'insights-list',
      component: 'Insights',
      slots: 3,
      items: bound('/insights'),
    }),
  ];
  return { kpis, charts, details };
}
