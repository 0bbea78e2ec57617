/* The view side of this project: App of ext-apps with a runtime on it. */
import { attachToApp, streamCapabilities, textConsumer, type Consumer } from '@mcp-apps-bridge/app-runtime';
import { TOOL_OUTPUT_PARTIAL_METHOD, UPSTREAM_META_KEY } from '@mcp-apps-bridge/partial-results';
import { App } from '@modelcontextprotocol/ext-apps';
import { textOf } from '../shared/protocol.ts';
import { answer, createMeter, createPainter, readConfig, timeMessages } from '../shared/view.ts';

const config = readConfig();
const meter = createMeter(config);
const paint = config.paint ? createPainter(meter) : undefined;

/** Applies nothing, or what the text consumer applies where text is shown. */
const kept = textConsumer();
let added = '';
const consumer: Consumer<unknown> = {
  init: () => kept.init(),
  chunk(state, chunk) {
    const text = textOf(chunk.blocks?.map(({ block }) => block));
    meter.apply(text);
    added += text;
    return paint ? kept.chunk(state as ReturnType<typeof kept.init>, chunk) : state;
  },
  final: (result) => kept.final(result),
};

const app = new App({ name: 'ours', version: '1.0.0' }, streamCapabilities, { autoResize: false });
attachToApp(app, {
  consumer,
  onChange() {
    const text = added;
    added = '';
    if (!paint) return;
    // The runtime calls with the paint: no further frame is waited for.
    shown.append(text);
    if (shown.childNodes.length > 50) shown.firstChild?.remove();
    meter.painted();
  },
});
const shown = document.body.appendChild(document.createElement('pre'));
shown.style.cssText = 'height:300px;overflow:hidden;margin:0';

const chunk = (seq: number, text: string): object => ({
  jsonrpc: '2.0',
  method: TOOL_OUTPUT_PARTIAL_METHOD,
  params: {
    partialResultToken: 'timed',
    seq,
    content: [{ type: 'text', text }],
    _meta: { [UPSTREAM_META_KEY]: [seq, seq] },
  },
});
answer({
  ...meter.answers,
  time: ({ count, bytes, from }) =>
    timeMessages((seq) => chunk(seq, 'x'.repeat(Number(bytes))), Number(count), Number(from)),
});
void app.connect();
