import { App } from '@modelcontextprotocol/ext-apps';
import { StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { text, textChunk } from '../../testing/chunks.ts';
import { textConsumer } from '../consumers/text.ts';
import { createAppRuntime } from '../runtime.ts';
import { attachOnce, useToolOutput } from './use-tool-output.ts';

const consumer = textConsumer();
let root: Root;
let element: HTMLElement;

beforeEach(() => {
  element = document.body.appendChild(document.createElement('div'));
  root = createRoot(element);
});

afterEach(() => {
  root.unmount();
  element.remove();
});

function Output({ app, onRender }: { app: App | null; onRender?: () => void }): ReactNode {
  onRender?.();
  const { state, status } = useToolOutput(app, consumer);
  return <p>{`${status}:${state.text}`}</p>;
}

it('shows a stream under StrictMode, each chunk once, without a console error (field case 70)', async () => {
  const complaints = vi.spyOn(console, 'error');
  const app = new App({ name: 'x', version: '1' }, {});
  const runtime = attachOnce(app, { consumer });
  root.render(
    <StrictMode>
      <Output app={app} />
    </StrictMode>,
  );
  await vi.waitFor(() => expect(element.textContent).toBe('waiting:'));
  for (let seq = 0; seq < 10; seq++) runtime.receive(textChunk(seq, `${seq}`));
  await vi.waitFor(() => expect(element.textContent).toBe('streaming:0123456789'));
  runtime.finish({ content: [text('end')] });
  await vi.waitFor(() => expect(element.textContent).toBe('complete:end'));
  expect(complaints).not.toHaveBeenCalled();
  complaints.mockRestore();
});

it('renders a burst of 2,000 chunks a bounded number of times (field case 31)', async () => {
  const paints: Array<() => void> = [];
  const runtime = createAppRuntime({
    consumer,
    paint: (run) => {
      paints.push(run);
      return () => undefined;
    },
  });
  let renders = 0;
  function Counted(): ReactNode {
    renders++;
    return useToolOutput(runtime).state.text.length;
  }
  root.render(
    <StrictMode>
      <Counted />
    </StrictMode>,
  );
  await vi.waitFor(() => expect(element.textContent).toBe('0'));
  renders = 0;
  for (let seq = 0; seq < 2_000; seq++) {
    runtime.receive(textChunk(seq, 'x'));
    if (seq % 200 === 199) paints.splice(0).forEach((run) => run());
  }
  await vi.waitFor(() => expect(element.textContent).toBe('2000'));
  // Ten publications, each rendered twice by StrictMode at most.
  expect(renders).toBeLessThanOrEqual(20);
});

it('waits for an App that comes later, and survives a remount (field cases 61, 67)', async () => {
  const app = new App({ name: 'x', version: '1' }, {});
  root.render(<Output app={null} />);
  await vi.waitFor(() => expect(element.textContent).toBe('waiting:'));
  const runtime = attachOnce(app, { consumer });
  runtime.receive(textChunk(0, 'early'));
  root.render(<Output app={app} />);
  await vi.waitFor(() => expect(element.textContent).toBe('streaming:early'));
  root.unmount();
  runtime.receive(textChunk(1, '+'));
  root = createRoot(element);
  root.render(<Output app={app} />);
  await vi.waitFor(() => expect(element.textContent).toBe('streaming:early+'));
});

it('does not render again when nothing was published', async () => {
  const app = new App({ name: 'x', version: '1' }, {});
  const runtime = attachOnce(app, { consumer });
  const onRender = vi.fn();
  root.render(<Output app={app} onRender={onRender} />);
  await vi.waitFor(() => expect(element.textContent).toBe('waiting:'));
  const before = onRender.mock.calls.length;
  runtime.flush();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(onRender.mock.calls).toHaveLength(before);
});
