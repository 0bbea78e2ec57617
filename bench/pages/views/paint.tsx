/* Rendering: the same stream drawn by React per chunk, or through a runtime that publishes with the paint. */
/* oxlint-disable react/no-array-index-key -- what is appended is known by its place */
import {
  attachToApp,
  logConsumer,
  streamCapabilities,
  tableConsumer,
  textConsumer,
  type AppRuntime,
  type Consumer,
  type LogState,
  type TableState,
  type TextState,
} from '@mcp-apps-bridge/app-runtime';
import { mountA2ui } from '@mcp-apps-bridge/app-runtime/a2ui';
import { useToolOutput } from '@mcp-apps-bridge/app-runtime/react';
import { App } from '@modelcontextprotocol/ext-apps';
import { memo, Profiler, useEffect, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { textOf, type PaintReport } from '../shared/protocol.ts';
import { answer, readConfig } from '../shared/view.ts';

const config = readConfig();
const target = document.body.appendChild(document.createElement('main'));
target.style.cssText = 'height:400px;overflow:auto';

let report: PaintReport = { frames: [], longTasks: 0, commits: 0, updates: 0, heapMb: 0 };
let last = 0;
const memory = performance as Performance & { memory?: { usedJSHeapSize: number } };
requestAnimationFrame(function frame(now) {
  if (last > 0) report.frames.push(now - last);
  last = now;
  report.heapMb = Math.max(report.heapMb, (memory.memory?.usedJSHeapSize ?? 0) / 1e6);
  requestAnimationFrame(frame);
});
new PerformanceObserver((list) => (report.longTasks += list.getEntries().length)).observe({
  type: 'longtask',
});

/* A block of its own is laid out by itself; as spans of one paragraph all parts would be, with each change. */
const contained = { contain: 'content', margin: 0 };
const Part = memo(({ text }: { text: string }) => <pre style={contained}>{text}</pre>);
const Lines = memo(({ lines }: { lines: readonly string[] }) => (
  <div style={contained}>
    {lines.map((line, i) => (
      <div key={i}>{line}</div>
    ))}
  </div>
));
const Row = memo(({ row }: { row: readonly string[] }) => (
  <tr>
    {row.map((cell, i) => (
      <td key={i}>{cell}</td>
    ))}
  </tr>
));

function Text({ runtime }: { runtime: AppRuntime<TextState> }): ReactElement {
  const { state } = useToolOutput(runtime);
  return (
    <div>
      {[...state.parts, state.tail].map((text, i) => (
        <Part key={i} text={text} />
      ))}
    </div>
  );
}

function Log({ runtime }: { runtime: AppRuntime<LogState> }): ReactElement {
  const { state } = useToolOutput(runtime);
  return (
    <div>
      {state.blocks.map(({ first, lines }) => (
        <Lines key={first} lines={lines} />
      ))}
    </div>
  );
}

function Table({ runtime }: { runtime: AppRuntime<TableState<string[]>> }): ReactElement {
  const { state } = useToolOutput(runtime);
  return (
    <table>
      <tbody>
        {state.rows.map((row, i) => (
          <Row key={i} row={row} />
        ))}
      </tbody>
    </table>
  );
}

/** The naive view: a message, a state. */
function PerChunk(): ReactElement {
  const [text, setText] = useState('');
  useEffect(() => {
    const take = ({ data }: MessageEvent<{ method?: string; params: { content: [] } }>): void => {
      if (data.method !== 'bench/chunk') return;
      report.updates++;
      setText((before) => before + textOf(data.params.content));
    };
    window.addEventListener('message', take);
    return () => window.removeEventListener('message', take);
  }, []);
  return <pre>{text}</pre>;
}

const counted = (view: ReactElement): ReactElement => (
  <Profiler id="view" onRender={() => report.commits++}>
    {view}
  </Profiler>
);

function attach<S>(
  consumer: Consumer<S>,
  onChange?: Parameters<typeof attachToApp<S>>[1] & object,
): AppRuntime<S> {
  const app = new App({ name: 'paint', version: '1.0.0' }, streamCapabilities, { autoResize: false });
  const more = typeof onChange === 'object' ? onChange : {};
  const runtime = attachToApp(app, { ...more, consumer });
  runtime.subscribe(() => report.updates++);
  void app.connect();
  return runtime;
}

if (config.perChunk) createRoot(target).render(counted(<PerChunk />));
else if (config.draws === 'text')
  createRoot(target).render(counted(<Text runtime={attach(textConsumer())} />));
else if (config.draws === 'log') createRoot(target).render(counted(<Log runtime={attach(logConsumer())} />));
else if (config.draws === 'table') {
  createRoot(target).render(counted(<Table runtime={attach(tableConsumer<string[]>())} />));
} else {
  const view = mountA2ui(target);
  attach(view.consumer, { consumer: view.consumer, onChange: (snapshot) => view.update(snapshot) });
}

answer({
  report() {
    const seen = report;
    report = { frames: [], longTasks: 0, commits: 0, updates: 0, heapMb: 0 };
    last = 0;
    return seen;
  },
});
