/* Size of app-runtime's core as a view bundles it, minified and not compressed, and whether anything foreign is in it. */
import { measureCore } from '../harness/build.ts';
import type { Scenario } from '../lib/scenario.ts';

export const size: Scenario = {
  name: 'size',
  async run({ sheet, assert }) {
    const { bytes, foreign } = await measureCore();
    sheet.add('size/app-runtime-core', bytes, { unit: 'B', better: 'lower', kind: 'count' });
    sheet.add('size/foreign-modules', foreign.length, { better: 'lower', kind: 'count' });
    assert('size: the core bundles no dependency', foreign.length === 0, foreign);
  },
};
