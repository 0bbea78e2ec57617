import { expect, it } from 'vitest';
import { readReadme, renderReadme } from './tooling/readme.ts';

it('the tables of the README are those of the catalogues and the faults', () => {
  // Out of date? `pnpm --filter @mcp-apps-bridge/conformance generate`
  expect(renderReadme(readReadme())).toBe(readReadme());
});
