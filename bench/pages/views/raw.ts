/* The least a view can do with a message. */
import { textOf } from '../shared/protocol.ts';
import { answer, createMeter, createPainter, readConfig, timeMessages } from '../shared/view.ts';

const config = readConfig();
const meter = createMeter(config);
const paint = config.paint ? createPainter(meter) : undefined;

const chunk = (seq: number, text: string): object => ({
  jsonrpc: '2.0',
  method: 'bench/chunk',
  params: { seq, content: [{ type: 'text', text }] },
});

answer({
  ...meter.answers,
  time: ({ count, bytes, from }) =>
    timeMessages((seq) => chunk(seq, 'x'.repeat(Number(bytes))), Number(count), Number(from)),
});
window.addEventListener('message', ({ data }: MessageEvent<{ method?: string; params: { content: [] } }>) => {
  if (data.method !== 'bench/chunk') return;
  const text = textOf(data.params.content);
  meter.apply(text);
  paint?.(text);
});
