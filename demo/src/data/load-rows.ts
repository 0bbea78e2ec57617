import { readFileSync } from 'node:fs';
import { parseRows } from './rows.ts';
import type { Row } from './rows.ts';

/** The rows shipped with the demo: five quarters, Q4 2024 to Q4 2025. */
export function loadRows(): Row[] {
  return parseRows(readFileSync(new URL('../../data/revenue.csv', import.meta.url), 'utf8'));
}
