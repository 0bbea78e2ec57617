import { basicCatalog } from '@a2ui/lit/v0_9';
import type { LitComponentApi } from '@a2ui/lit/v0_9';
import { Catalog } from '@a2ui/web_core/v0_9';
import { CATALOG_ID } from '../../../report/a2ui.ts';
import { BarChart, DataTable } from './bars-and-table.ts';
import { Insights, Kpi } from './figures.ts';
import { Grid, Meter } from './layout.ts';
import { LineChart } from './line-chart.ts';
import { Segmented } from './segmented.ts';

/** The basic catalog, and what it lacks for a dashboard. */
export const dashboardCatalog: Catalog<LitComponentApi> = new Catalog<LitComponentApi>(
  CATALOG_ID,
  [
    ...basicCatalog.components.values(),
    BarChart,
    DataTable,
    Grid,
    Insights,
    Kpi,
    LineChart,
    Meter,
    Segmented,
  ],
  [...basicCatalog.functions.values()],
);
