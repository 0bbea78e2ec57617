import { expect, test } from 'vitest';
import { allowAttribute, grantPermissions } from './host-context.ts';

const all = { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} };

test('a permission is granted when the app asks for it and the embedder allows it, never otherwise (H24)', () => {
  expect(grantPermissions(all, ['camera', 'clipboardWrite'], true)).toEqual({
    camera: {},
    clipboardWrite: {},
  });
  expect(grantPermissions({ camera: {} }, ['camera', 'microphone'], true)).toEqual({ camera: {} });
  expect(grantPermissions(all, [], true)).toEqual({});
  expect(grantPermissions(undefined, ['camera'], true)).toEqual({});
});

test('an opaque document is granted only what it can use (H24)', () => {
  expect(grantPermissions(all, ['camera', 'microphone', 'geolocation', 'clipboardWrite'], false)).toEqual({
    clipboardWrite: {},
  });
});

test('the attribute names features, for the own origin of the frame alone', () => {
  expect(allowAttribute(grantPermissions(all, ['camera', 'clipboardWrite'], true))).toBe(
    'camera; clipboard-write',
  );
  expect(allowAttribute({})).toBe('');
});
