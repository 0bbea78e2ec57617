import { expect, inject, test } from 'vitest';
import { checkSandbox } from './check-sandbox.ts';

const { sandbox, other } = inject('sandboxServers');

test('a sandbox page that is served as it should be has no problem', async () => {
  expect(await checkSandbox(`${sandbox}/proxy`)).toEqual([]);
});

test.each([
  ['unknown_host', `${sandbox}/strict`, /hostOrigins/],
  ['header_missing', `${sandbox}/stripped`, /pass that header on/],
  ['not_a_sandbox', `${other}/page`, /path and port/],
  ['unreachable', 'http://127.0.0.1:9/proxy', /host name and port/],
])('what is wrong is said, and what to do: %s', async (code, url, message) => {
  expect(await checkSandbox(url)).toMatchObject([
    { code, message: expect.stringMatching(message) as string },
  ]);
});

test('the origin of the host itself is refused at once', async () => {
  await expect(checkSandbox(`${self.origin}/proxy`)).rejects.toMatchObject({ code: 'sandbox_misconfigured' });
});
