import { createToolOutput, createViewFeed } from '@mcp-apps-bridge/host-bridge';
import { createAppRuntime, textConsumer } from '@mcp-apps-bridge/app-runtime';
import { turn } from '../../shared/protocol.ts';

interface Trial {
  part: 'host' | 'view' | 'views';
  chunks: number;
  views: number;
}

/**
 * Microseconds a chunk (and view), without frames: how the stages themselves grow. The view acknowledges at once,
 * so what is measured is work and not waiting.
 */
export async function growth({ part, chunks, views }: Trial): Promise<number> {
  const content = [{ type: 'text', text: 'x'.repeat(40) }];
  const chunk = (seq: number): object => ({ partialResultToken: 't', seq, content });
  const [push, close] = part === 'view' ? viewSide() : hostSide(views);
  let spent = 0;
  for (let seq = 0; seq < chunks;) {
    const start = performance.now();
    for (const end = Math.min(chunks, seq + 500); seq < end; seq++) push(chunk(seq));
    await turn();
    spent += performance.now() - start;
  }
  close();
  return (spent * 1_000) / (chunks * views);
}

function hostSide(views: number): [push: (chunk: object) => void, close: () => void] {
  const output = createToolOutput({ modes: { content: 'append' } });
  const feeds = Array.from({ length: views }, () => {
    const feed = createViewFeed({
      output,
      notify(_method, params) {
        const { partialResultToken, seq } = params;
        queueMicrotask(() => feed.ack({ partialResultToken, epoch: 0, seq }));
      },
    });
    feed.open({ acks: true });
    return feed;
  });
  const close = (): void => {
    for (const feed of feeds) feed.close();
    output.close();
  };
  return [(chunk) => output.push(chunk), close];
}

function viewSide(): [push: (chunk: object) => void, close: () => void] {
  const runtime = createAppRuntime({
    consumer: textConsumer(),
    onChange: () => undefined,
    sendAck: () => undefined,
  });
  return [(chunk) => runtime.receive(chunk), () => runtime.close()];
}
