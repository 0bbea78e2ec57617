import { aggregate, change, margin, previousQuarter } from '../data/aggregate.ts';
import type { Group, Query } from '../data/aggregate.ts';
import { count, money, percent, signedPercent, signedPoints } from '../data/format.ts';
import type { Row } from '../data/rows.ts';
import { quarterName } from './dashboard-data.ts';

const moved = (group: Group): number | undefined => change(group.current.revenue, group.previous.revenue);

function direction(value: number | undefined): string {
  if (value === undefined) return 'cannot be compared with the quarter before';
  if (Math.abs(value) < 0.005) return 'held level';
  return value > 0 ? `grew ${percent(value)}` : `fell ${percent(-value)}`;
}

/** A revenue report in Markdown, the same text for the same rows and query. */
export function writeProse(rows: readonly Row[], query: Query): string {
  const totals = aggregate(rows, query);
  const before = quarterName(previousQuarter(query));
  const { current, previous, weeks } = totals;
  const overall = change(current.revenue, previous.revenue);
  const ranked = totals.groups.toSorted((a, b) => b.current.revenue - a.current.revenue);
  const fastest = totals.groups.toSorted((a, b) => (moved(b) ?? 0) - (moved(a) ?? 0))[0];
  const slowest = totals.groups.toSorted((a, b) => (moved(a) ?? 0) - (moved(b) ?? 0))[0];
  const kind = query.region === undefined ? 'region' : 'product';
  const high = Math.max(...weeks.current);
  const low = Math.min(...weeks.current);
  const points = margin(current) - margin(previous);
  const leader = ranked[0];
  const leaderShare = leader === undefined ? 0 : leader.current.revenue / current.revenue;
  return [
    `# ${quarterName(query)} revenue report`,
    `**${query.region ?? 'All regions'}.** Revenue came to **${money(current.revenue)}** and ${direction(overall)} ` +
      `against ${before} (${money(previous.revenue)}). It was earned on ${count(current.orders)} orders, at an ` +
      `average of ${money(current.revenue / current.orders)} an order.`,
    `## Where it came from`,
    `${leader?.name ?? 'No one'} leads with ${percent(leaderShare)} of revenue. By ${kind}, from largest to smallest:`,
    ranked
      .map(
        (group) =>
          `- **${group.name}**: ${money(group.current.revenue)}, ${signedPercent(moved(group))} on ${before}, ` +
          `at a gross margin of ${percent(margin(group.current))}`,
      )
      .join('\n'),
    `## What changed`,
    `${fastest?.name ?? 'No one'} moved most, at ${signedPercent(fastest && moved(fastest))}, while ` +
      `${slowest?.name ?? 'no one'} came last at ${signedPercent(slowest && moved(slowest))}. The spread between the ` +
      `two is the clearest signal in the quarter: growth is there, but it is not shared evenly.`,
    `Within the quarter, week ${weeks.current.indexOf(high) + 1} was the strongest at ${money(high)} and week ` +
      `${weeks.current.indexOf(low) + 1} the weakest at ${money(low)}. The last weeks carry the usual push to close ` +
      `orders before the quarter ends.`,
    `## Margin`,
    `Gross margin stands at **${percent(margin(current))}**, ${signedPoints(points)} on ${before}. Cost of revenue was ` +
      `${money(current.cost)}. ` +
      (points >= 0
        ? 'Revenue grew faster than its cost, which is what the plan asked for.'
        : 'Cost grew faster than revenue; the mix of services and licences is the first place to look.'),
    `> Figures are computed from ${count(totals.rows)} rows of weekly revenue, ${quarterName(query)} and ${before}.`,
  ].join('\n\n');
}

/** Cuts a text into pieces of about a word, white space kept, so that joining them gives the text back. */
export function tokens(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
