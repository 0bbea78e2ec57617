import { describe, expect, test, vi } from 'vitest';
import { readUiResource, uiResourceUri } from './ui-resource.ts';
import type { ResourceClient } from './ui-resource.ts';

const uri = 'ui://demo/view';
const mimeType = 'text/html;profile=mcp-app';
const serving = (contents: unknown, resources?: unknown[]): ResourceClient => ({
  readResource: async () => ({ contents }),
  ...(resources && { listResources: async () => ({ resources }) }),
});
const code = (wanted: string): unknown => expect.objectContaining({ name: 'HostBridgeError', code: wanted });

describe('the URI of a tool', () => {
  test.each([
    [{ ui: { resourceUri: uri } }, uri],
    [{ 'ui/resourceUri': uri }, uri],
    [{ ui: { resourceUri: uri }, 'ui/resourceUri': 'ui://old' }, uri],
    [{ ui: {} }, undefined],
    [{}, undefined],
    [undefined, undefined],
    [null, undefined],
  ])('of %j is %s', (meta, wanted) => {
    expect(uiResourceUri({ _meta: meta })).toBe(wanted);
  });

  test.each(['https://evil.example/', 'ui:/x', 'UI://x', 'ui://', 'javascript:1', 7, {}])(
    '%j is refused',
    (given) => {
      expect(() => uiResourceUri({ _meta: { ui: { resourceUri: given } } })).toThrow(
        code('ui_uri_invalid') as Error,
      );
      expect(() => uiResourceUri({ _meta: { 'ui/resourceUri': given } })).toThrow(
        code('ui_uri_invalid') as Error,
      );
    },
  );
});

describe('the HTML', () => {
  test('comes from text', async () => {
    expect(await readUiResource(serving([{ uri, mimeType, text: '<p>hi' }]), uri)).toEqual({
      uri,
      html: '<p>hi',
    });
  });

  test('comes from a blob, as UTF-8', async () => {
    const html = '<p>日本語 — 😀';
    const blob = Buffer.from(html).toString('base64');
    expect((await readUiResource(serving([{ uri, mimeType, blob }]), uri)).html).toBe(html);
  });

  test('is the content with the URI asked for', async () => {
    const contents = [
      { uri: 'ui://other', mimeType, text: 'other' },
      { uri, mimeType, text: 'mine' },
    ];
    expect((await readUiResource(serving(contents), uri)).html).toBe('mine');
  });

  test.each(['text/html;profile=mcp-app', 'text/html; profile=mcp-app', 'TEXT/HTML; profile="mcp-app"'])(
    'may be %s',
    async (mimeType) => {
      expect((await readUiResource(serving([{ uri, mimeType, text: '' }]), uri)).html).toBe('');
    },
  );

  test.each<[string, unknown, string]>([
    ['no content', [], 'ui_resource_missing'],
    ['no list', undefined, 'ui_resource_missing'],
    ['content that is no object', [null, 'x'], 'ui_resource_missing'],
    ['plain HTML', [{ uri, mimeType: 'text/html', text: 'x' }], 'ui_mime_unsupported'],
    ['another profile', [{ uri, mimeType: 'text/html;profile=mcp-apps', text: 'x' }], 'ui_mime_unsupported'],
    ['no type', [{ uri, text: 'x' }], 'ui_mime_unsupported'],
    ['no body', [{ uri, mimeType }], 'ui_content_invalid'],
    ['a blob that is not base64', [{ uri, mimeType, blob: '%%%' }], 'ui_content_invalid'],
    ['a blob that is not UTF-8', [{ uri, mimeType, blob: '/w==' }], 'ui_content_invalid'],
    ['text beyond the limit', [{ uri, mimeType, text: 'x'.repeat(11) }], 'ui_too_large'],
    ['a blob beyond the limit', [{ uri, mimeType, blob: btoa('x'.repeat(11)) }], 'ui_too_large'],
    ['a huge blob, before it is decoded', [{ uri, mimeType, blob: '%'.repeat(41) }], 'ui_too_large'],
  ])('%s: a typed error', async (_name, contents, wanted) => {
    await expect(readUiResource(serving(contents), uri, { maxChars: 10 })).rejects.toThrow(
      code(wanted) as Error,
    );
  });

  test('exactly at the limit is accepted', async () => {
    const contents = [{ uri, mimeType, blob: btoa('x'.repeat(10)) }];
    expect((await readUiResource(serving(contents), uri, { maxChars: 10 })).html).toHaveLength(10);
  });

  test('what the client throws is the cause', async () => {
    const cause = new Error('boom');
    const client: ResourceClient = { readResource: async () => Promise.reject(cause) };
    await expect(readUiResource(client, uri)).rejects.toMatchObject({ code: 'ui_read_failed', cause });
  });

  test('another scheme is refused before the server is asked', async () => {
    const readResource = vi.fn(async () => ({ contents: [] }));
    await expect(readUiResource({ readResource }, 'https://x')).rejects.toThrow(
      code('ui_uri_invalid') as Error,
    );
    expect(readResource).not.toHaveBeenCalled();
  });
});

describe('metadata', () => {
  const onContent = { connectDomains: ['https://content.example'] };
  const onList = { connectDomains: ['https://list.example'] };
  const content = (ui?: object): unknown[] => [{ uri, mimeType, text: '', ...(ui && { _meta: { ui } }) }];
  const listed = (ui: object): unknown[] => [{ uri: 'ui://x' }, { uri, _meta: { ui } }];

  test('on the content wins over the listing, field by field', async () => {
    const client = serving(
      content({ csp: onContent }),
      listed({ csp: onList, prefersBorder: true, domain: 'd' }),
    );
    expect(await readUiResource(client, uri)).toMatchObject({
      csp: onContent,
      prefersBorder: true,
      domain: 'd',
    });
  });

  test('on the listing alone applies', async () => {
    const client = serving(content(), listed({ csp: onList, permissions: { camera: {} } }));
    expect(await readUiResource(client, uri)).toMatchObject({ csp: onList, permissions: { camera: {} } });
  });

  test('on a later page of the listing applies', async () => {
    const pages: Record<string, unknown> = {
      first: { resources: [], nextCursor: 'second' },
      second: { resources: listed({ csp: onList }) },
    };
    const client = {
      ...serving(content()),
      listResources: async (p?: { cursor?: string }) => pages[p?.cursor ?? 'first'],
    };
    expect(await readUiResource(client, uri)).toMatchObject({ csp: onList });
  });

  test('an endless listing is given up', async () => {
    const listResources = vi.fn(async () => ({ resources: [], nextCursor: 'again' }));
    expect(await readUiResource({ ...serving(content()), listResources }, uri)).toEqual({ uri, html: '' });
    expect(listResources.mock.calls.length).toBeLessThanOrEqual(20);
  });

  test('a server that cannot list loses nothing', async () => {
    const client = {
      ...serving(content({ csp: onContent })),
      listResources: async () => Promise.reject(new Error('no')),
    };
    expect(await readUiResource(client, uri)).toMatchObject({ csp: onContent });
  });

  test('of the wrong shape is left out', async () => {
    const ui = { csp: 'x', permissions: [], domain: 1, prefersBorder: 'yes' };
    expect(await readUiResource(serving(content(ui)), uri)).toEqual({ uri, html: '' });
  });
});
