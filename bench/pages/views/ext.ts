/* What ext-apps has for streams by itself: partial input, through its own transport and its validation. */
import { App } from '@modelcontextprotocol/ext-apps';
import { textOf } from '../shared/protocol.ts';
import { answer, createMeter, createPainter, readConfig, timeMessages } from '../shared/view.ts';

const config = readConfig();
const meter = createMeter(config);
const paint = config.paint ? createPainter(meter) : undefined;

const app = new App({ name: 'ext', version: '1.0.0' }, {}, { autoResize: false });
app.addEventListener('toolinputpartial', ({ arguments: args }) => {
  const text = textOf(args?.['content'] as { text?: unknown }[] | undefined);
  meter.apply(text);
  paint?.(text);
});

const chunk = (seq: number, text: string): object => ({
  jsonrpc: '2.0',
  method: 'ui/notifications/tool-input-partial',
  params: { arguments: { seq, content: [{ type: 'text', text }] } },
});
answer({
  ...meter.answers,
  time: ({ count, bytes, from }) =>
    timeMessages((seq) => chunk(seq, 'x'.repeat(Number(bytes))), Number(count), Number(from)),
});
void app.connect();
