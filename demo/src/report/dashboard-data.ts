import { change, margin, previousQuarter } from '../data/aggregate.ts';
import type { Group, Query, Sums, Totals } from '../data/aggregate.ts';
import { count, money, percent, signedPercent, signedPoints } from '../data/format.ts';
import type { KpiName } from './dashboard-layout.ts';

export type Trend = 'up' | 'down' | 'flat';

interface Kpi {
  value: string;
  change: string;
  trend: Trend;
}

export interface Insight {
  tone: 'good' | 'bad' | 'neutral';
  text: string;
}

/** The data model of the dashboard's surface; each field is what one part of the layout is bound to. */
export interface DashboardData {
  busy: boolean;
  title: string;
  /** What changes are measured against, for example "vs Q1 2025". */
  comparison: string;
  query: { year: number; quarter: string; region: string };
  meter: { done: number; total: number; label: string };
  captions: { trend: string; groups: string; table: string; insights: string };
  kpis: Record<KpiName, Kpi>;
  trend: { name: string; values: number[] }[];
  /** `max` is the length of the scale. */
  groups: { max: number; bars: { label: string; value: number; text: string; previous: number }[] };
  table: Record<string, string | boolean>[];
  insights: Insight[];
}

export function quarterName(query: Query): string {
  return `Q${query.quarter} ${query.year}`;
}

function title(query: Query): string {
  return `${quarterName(query)} revenue · ${query.region ?? 'all regions'}`;
}

function trendOf(value: number | undefined): Trend {
  if (value === undefined || Math.abs(value) < 0.0005) return 'flat';
  return value > 0 ? 'up' : 'down';
}

export function kpis(totals: Totals): Record<KpiName, Kpi> {
  const { current, previous } = totals;
  const average = (sums: Sums): number => (sums.orders === 0 ? 0 : sums.revenue / sums.orders);
  const relative = (value: string, now: number, before: number): Kpi => {
    const moved = change(now, before);
    return { value, change: signedPercent(moved), trend: trendOf(moved) };
  };
  const points = margin(current) - margin(previous);
  return {
    revenue: relative(money(current.revenue), current.revenue, previous.revenue),
    margin: { value: percent(margin(current)), change: signedPoints(points), trend: trendOf(points) },
    orders: relative(count(current.orders), current.orders, previous.orders),
    average: relative(money(average(current)), average(current), average(previous)),
  };
}

export function trend(totals: Totals, query: Query): DashboardData['trend'] {
  return [
    { name: quarterName(query), values: [...totals.weeks.current] },
    { name: quarterName(previousQuarter(query)), values: [...totals.weeks.previous] },
  ];
}

/**
 * @param share of the rows that were read, 1 when finished. The scale is made for what the largest bar will
 * come to at this rate: the bars then grow along it, where a scale to the largest so far would keep them still.
 */
export function groups(totals: Totals, share: number): DashboardData['groups'] {
  const bars = totals.groups.map(({ name, current, previous }) => ({
    label: name,
    value: current.revenue,
    text: money(current.revenue),
    previous: previous.revenue,
  }));
  const largest = Math.max(...bars.flatMap(({ value, previous }) => [value, previous]));
  return { max: Math.round(largest / share), bars };
}

function tableRow(name: string, current: Sums, previous: Sums, all: Sums): Record<string, string | boolean> {
  return {
    name,
    revenue: money(current.revenue),
    share: percent(all.revenue === 0 ? 0 : current.revenue / all.revenue),
    margin: percent(margin(current)),
    change: signedPercent(change(current.revenue, previous.revenue)),
  };
}

export function table(totals: Totals): DashboardData['table'] {
  return [
    ...totals.groups.map((group) => tableRow(group.name, group.current, group.previous, totals.current)),
    { ...tableRow('Total', totals.current, totals.previous, totals.current), total: true },
  ];
}

function byGrowth(totals: Totals): Group[] {
  const growth = (group: Group): number => change(group.current.revenue, group.previous.revenue) ?? 0;
  return totals.groups.toSorted((a, b) => growth(b) - growth(a));
}

/** What a reader should take away; made of finished totals only. */
export function insights(totals: Totals, query: Query): Insight[] {
  const before = quarterName(previousQuarter(query));
  const moved = change(totals.current.revenue, totals.previous.revenue);
  const ranked = byGrowth(totals);
  const best = ranked[0];
  const worst = ranked.at(-1);
  const weeks = totals.weeks.current;
  const peak = weeks.indexOf(Math.max(...weeks));
  const points = margin(totals.current) - margin(totals.previous);
  const result: Insight[] = [];
  if (best !== undefined && worst !== undefined && moved !== undefined) {
    const bestMove = change(best.current.revenue, best.previous.revenue);
    const worstMove = change(worst.current.revenue, worst.previous.revenue);
    result.push(
      {
        tone: moved >= 0 ? 'good' : 'bad',
        text: `Revenue is ${signedPercent(moved)} on ${before}. ${best.name} moved most, ${signedPercent(bestMove)}.`,
      },
      {
        tone: (worstMove ?? 0) >= 0 ? 'neutral' : 'bad',
        text: `${worst.name} trails at ${signedPercent(worstMove)}, with a margin of ${percent(margin(worst.current))}.`,
      },
    );
  }
  result.push({
    tone: points >= 0 ? 'good' : 'bad',
    text: `Week ${peak + 1} was the strongest at ${money(weeks[peak] ?? 0)}. Margin is ${signedPoints(points)}.`,
  });
  return result;
}

/** What is known before the first row is read. */
export function emptyData(
  query: Query,
  total: number,
): Omit<DashboardData, 'kpis' | 'trend' | 'groups' | 'table' | 'insights'> {
  const before = quarterName(previousQuarter(query));
  return {
    busy: true,
    title: title(query),
    comparison: `vs ${before}`,
    query: { year: query.year, quarter: `Q${query.quarter}`, region: query.region ?? 'all' },
    meter: meter(0, total),
    captions: {
      trend: `${quarterName(query)} against ${before}, US dollars`,
      groups: `Bar: ${quarterName(query)}. Mark: ${before}`,
      table: `Change is ${quarterName(query)} against ${before}`,
      insights: 'Computed from the finished totals',
    },
  };
}

export function meter(done: number, total: number): DashboardData['meter'] {
  const label = done < total ? `Reading row ${count(done)} of ${count(total)}` : `${count(total)} rows read`;
  return { done, total, label };
}

/** The whole data model of a finished dashboard. */
export function fullData(totals: Totals, query: Query): DashboardData {
  return {
    ...emptyData(query, totals.rows),
    busy: false,
    meter: meter(totals.rows, totals.rows),
    kpis: kpis(totals),
    trend: trend(totals, query),
    groups: groups(totals, 1),
    table: table(totals),
    insights: insights(totals, query),
  };
}
