import { describe, expect, test } from 'vitest';
import { pickSandbox } from './pick-sandbox.ts';

const hostOrigin = 'https://chat.example';
const url = 'https://sandbox.example/proxy';
const resource = { uri: 'ui://board/view.html', html: '', domain: 'board' };

function pick(origin: string | undefined, options: { client?: object; uri?: string } = {}): unknown {
  return pickSandbox({
    settings: { url, dedicatedUrl: () => origin },
    resource: { ...resource, uri: options.uri ?? resource.uri },
    client: options.client ?? server,
    hostOrigin,
  });
}
const server = {};

describe('the origin of an app', () => {
  test('is opaque, on the shared sandbox, unless the embedder gives it one of its own', () => {
    expect(pick(undefined)).toEqual({ url, dedicated: false, flags: {} });
    expect(pick('https://board.apps.example/')).toEqual({
      url: 'https://board.apps.example/',
      dedicated: true,
      flags: { sandbox: 'allow-scripts allow-forms allow-same-origin' },
    });
  });

  test.each([hostOrigin, `${hostOrigin}/apps`, 'https://sandbox.example/other', 'not a url'])(
    'is never one that others share: %s',
    (shared) => {
      const attempt = (): unknown => pick(shared === 'not a url' ? 'https://sandbox.example' : shared);
      expect(attempt).toThrow(expect.objectContaining({ code: 'sandbox_misconfigured' }) as Error);
    },
  );

  test('is of one app of one server', () => {
    const origin = 'https://one.apps.example';
    pick(origin);
    expect(() => pick(origin)).not.toThrow();
    expect(() => pick(origin, { uri: 'ui://other/view.html' })).toThrow(/ui:\/\/board/);
    expect(() => pick(origin, { client: {} })).toThrow(/another app/);
  });
});
