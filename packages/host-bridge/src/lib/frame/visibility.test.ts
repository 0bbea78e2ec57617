import { expect, test } from 'vitest';
import { isToolVisibleTo } from './visibility.ts';

const tool = (visibility: unknown): { _meta: unknown } => ({ _meta: { ui: { visibility } } });

test.each([
  [['model', 'app'], true, true],
  [['app'], false, true],
  [['model'], true, false],
  [[], false, false],
  [undefined, true, true],
  [null, true, true],
  ['app', false, false],
  [{ app: true }, false, false],
  [['APP'], false, false],
])('visibility %j: model %s, app %s', (visibility, model, app) => {
  expect([isToolVisibleTo(tool(visibility), 'model'), isToolVisibleTo(tool(visibility), 'app')]).toEqual([
    model,
    app,
  ]);
});

test.each([{}, { _meta: undefined }, { _meta: null }, { _meta: { ui: 'x' } }])(
  'a tool like %j is for both',
  (tool) => {
    expect([isToolVisibleTo(tool, 'model'), isToolVisibleTo(tool, 'app')]).toEqual([true, true]);
  },
);
