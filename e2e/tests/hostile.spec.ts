import { openChat } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { createGate } from '../support/gate.ts';

const PROMPT = 'Build me a Q2 revenue dashboard';
const PARTIAL = 'notifications/tools/partial_result';

interface Chunk {
  jsonrpc: string;
  method?: string;
  params: Record<string, unknown> & {
    partialResultToken: string;
    seq: number;
    content: { resource: { uri: string; text: string } }[];
  };
}

const chunk = (real: Chunk, params: Record<string, unknown>): string =>
  JSON.stringify({ ...real, params: { ...real.params, ...params } });

/** The chunk with a line put in front of its A2UI messages. */
function withRecord(real: Chunk, line: string): string {
  const content = real.params.content.map((block) => ({
    ...block,
    resource: { ...block.resource, text: `${line}\n${block.resource.text}` },
  }));
  return chunk(real, { content });
}

/** What takes the place of a chunk: mostly the chunk itself, and something bad behind it. */
const LINES: Record<string, (real: Chunk) => string[]> = {
  'a line that is not JSON': (real) => [chunk(real, {}), '{"jsonrpc":"2.0","method":'],
  'an unknown method': (real) => [
    chunk(real, {}),
    JSON.stringify({ ...real, method: 'notifications/tools/unheard_of' }),
  ],
  'a wrong token': (real) => [chunk(real, {}), chunk(real, { partialResultToken: 'guessed' })],
  'a negative seq': (real) => [chunk(real, {}), chunk(real, { seq: -1 })],
  'a fractional seq': (real) => [chunk(real, {}), chunk(real, { seq: real.params.seq + 0.5 })],
  'content that is no list': (real) => [
    chunk(real, {}),
    chunk(real, { seq: real.params.seq + 1000, content: 'text' }),
  ],
  'a component that only the app knows to be none': (real) => {
    const surfaceId = real.params.content[0]!.resource.uri.slice('a2ui://'.length);
    const components = [{ id: 'odd', component: 'Bagpipe', wind: 1 }];
    return [
      withRecord(real, JSON.stringify({ version: 'v0.9', updateComponents: { surfaceId, components } })),
    ];
  },
  'a broken A2UI message': (real) => [withRecord(real, '{"version":"v0.9","updateDataModel":{"surfaceId"')],
};

for (const [name, make] of Object.entries(LINES)) {
  test(`${name} in mid-stream is counted and shown, and harms nothing (S10, case 18)`, async ({
    page,
    urls,
    interfere,
  }) => {
    const final = createGate();
    let chunks = 0;
    await interfere('report', {
      async event(message) {
        if (message.includes('"result"')) await final.wait();
        const real = message.includes(PARTIAL) ? (JSON.parse(message) as Chunk) : undefined;
        return real && ++chunks === 3 ? make(real) : [message];
      },
    });
    const chat = await openChat(page, urls.host, { prompt: PROMPT });

    // The stream went on behind the line: its last step is on screen, and the call still runs.
    await expect(chat.app.getByText('was the strongest')).toBeVisible();
    await chat.expectStatus('streaming');
    await expect(chat.call.locator('[data-figure="rejected"]')).toHaveAttribute('data-value', '1');
    expect(chunks).toBeGreaterThan(3);

    final.open();
    await chat.expectStatus('complete');
    await expect(chat.app.getByText('was the strongest')).toBeVisible();
    expect(await chat.figure('rejected')).toBe(1);
    expect(await chat.figure('gaps')).toBe(0);
  });
}
