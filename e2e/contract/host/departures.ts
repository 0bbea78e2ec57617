import { RESULT, SHAPE, openCall, push, words, after, textArrives, quiet } from './call.ts';
import { until, type Checker } from './check.ts';
import { recorderHtml, shapeOf, textOf } from './recorder.ts';
import { openRig, setting } from './rig.ts';

export async function navigated(check: Checker): Promise<void> {
  const { urls } = await setting();
  const key = `k${Math.random()}`;
  const output = openCall('away');
  const html = recorderHtml({ auto: true });
  const resource = { uri: 'ui://contract/app', html, csp: { frameDomains: [urls.stranger] } };
  const rig = await openRig(html, output, { resource });
  await rig.ready();
  push(output, 0, 4);
  await textArrives(rig, words(0, 4));
  void rig.ask('leave', { url: `${urls.stranger}/page?key=${key}` }).catch(() => undefined);
  for (let seq = 4; seq < 10; seq++) {
    push(output, seq, seq + 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const heard = async (): Promise<string[]> =>
    (await (await fetch(`${urls.stranger}/heard?key=${key}`)).json()) as string[];
  await until('the other page', async () => (await heard()).includes('loaded') || rig.view.status === 'lost');
  await until('the host to be told', () => rig.view.status === 'lost');
  check.same('the host is told', rig.view.error?.code, 'view_lost');
  const { forwarded } = rig.view.counters!;
  push(output, 10, 20);
  output.finish(RESULT);
  await quiet();
  check.same('nothing is sent any more', rig.view.counters?.forwarded, forwarded);
  check.same(
    'the other page hears nothing',
    (await heard()).filter((what) => what !== 'loaded'),
    [],
  );
  await rig.close();
}

/** Counts each time the bridge reaches for a frame's window. */
function watchWindow(frame: HTMLIFrameElement): { reads: number } {
  const watch = { reads: 0 };
  Object.defineProperty(frame, 'contentWindow', {
    get() {
      watch.reads++;
      return null;
    },
  });
  return watch;
}

export async function unmounted(check: Checker): Promise<void> {
  for (const stage of ['ready', 'connecting']) {
    const output = openCall('gone');
    const rig = await openRig(recorderHtml({ auto: stage === 'ready' }), output);
    if (stage === 'ready') await rig.ready();
    else await until('a frame', () => rig.view.element);
    const frame = rig.view.element!;
    push(output, 0, 20);
    await rig.close();
    const watch = watchWindow(frame);
    const events = rig.events.length;
    push(output, 20, 60);
    rig.view.setHostContext({ theme: 'dark' });
    rig.view.reload();
    output.finish(RESULT);
    await quiet();
    check.same(`${stage}: the bridge never reaches for the dead window`, watch.reads, 0);
    check.same(`${stage}: and says nothing more`, rig.events.slice(events), []);
    check.same(`${stage}: no frame is left`, [frame.isConnected, rig.view.status], [false, 'closed']);
  }
}

export async function noise(check: Checker): Promise<void> {
  const output = openCall('noise');
  const rig = await openRig(recorderHtml({ auto: true, acks: true }), output);
  await rig.ready();
  const forged = [
    {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-output-partial',
      params: { partialResultToken: 0, seq: 0, content: [{ type: 'text', text: 'forged' }] },
    },
    {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-result',
      params: { content: [{ type: 'text', text: 'forged' }] },
    },
    { jsonrpc: '2.0', method: 'ui/notifications/initialized' },
    { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 3_210 } },
    { jsonrpc: '2.0', method: 'ui/notifications/sandbox-view-lost', params: {} },
    'x',
    null,
    5,
    [],
    { hello: true },
    { jsonrpc: '1.0' },
    { jsonrpc: '2.0', id: {} },
  ];
  const sibling = document.getElementById('views')!.appendChild(document.createElement('iframe'));
  sibling.setAttribute('sandbox', 'allow-scripts');
  sibling.srcdoc = `<script>
    const forged = ${JSON.stringify(forged)};
    const all = (w) => [w, ...Array.from({ length: w.length }, (_, i) => w[i]).flatMap(all)];
    let rounds = 0;
    const timer = setInterval(() => {
      for (const target of all(top)) for (const message of forged) target.postMessage(message, '*');
      if (++rounds === 20) { clearInterval(timer); top.postMessage('noise over', '*'); }
    }, 10);
  </script>`;
  const over = new Promise((resolve) =>
    addEventListener('message', ({ data }) => data === 'noise over' && resolve(undefined)),
  );
  for (let seq = 0; seq < 30; seq++) {
    push(output, seq, seq + 1);
    for (const message of forged) postMessage(message, '*');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await over;
  const heard = await textArrives(rig, words(29, 30));
  check.same(
    'the view hears its own stream only',
    [textOf(heard), shapeOf(heard)],
    [words(0, 30), SHAPE.slice(0, 2)],
  );
  output.finish(RESULT);
  const end = await after(rig, 'tool-result');
  check.same('and its own result', end.at(-1)?.params?.['content'], RESULT.content);
  check.same('the host heeds no stranger', [rig.view.status, rig.view.element?.style.height], ['ready', '']);
  sibling.remove();
  await rig.close();
}
