import { createToolOutput, type ToolOutput } from '@mcp-apps-bridge/host-bridge';
import { until, type Checker } from './check.ts';
import { openRig, setting, type Rig } from './rig.ts';
import { chunksOf, recorderHtml, shapeOf, textOf, type Heard } from './recorder.ts';

const RESULT = { content: [{ type: 'text', text: 'all' }] };
const SHAPE = ['tool-input', 'tool-output-partial', 'tool-result'];

const open = (name: string): ToolOutput => {
  const output = createToolOutput({ modes: { content: 'append' } });
  output.input({ name });
  return output;
};

/** Every output of the page gets the same token from its server: calls are told apart by more than that. */
function push(output: ToolOutput, from: number, to: number, name = ''): void {
  for (let seq = from; seq < to; seq++) {
    output.push({ partialResultToken: 0, seq, content: [{ type: 'text', text: `${name}${seq} ` }] });
  }
}

const words = (from: number, to: number, name = ''): string =>
  Array.from({ length: to - from }, (_, i) => `${name}${from + i} `).join('');

const heardBy = async (rig: Rig): Promise<Heard[]> => (await rig.ask('log')) as Heard[];

/** Waits until the view has heard a method; its messages come in order, so all before it are there too. */
const after = async (rig: Rig, method: string, times = 1): Promise<Heard[]> =>
  until(method, async () => {
    const heard = await heardBy(rig);
    return heard.filter((one) => one.method?.endsWith(method)).length >= times && heard;
  });

const textArrives = async (rig: Rig, text: string): Promise<Heard[]> =>
  until(`the text ${text.slice(-20)}`, async () => {
    const heard = await heardBy(rig);
    return textOf(heard).endsWith(text) && heard;
  });

/** Room for messages that must not come. */
const quiet = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));

export async function checkMessages(check: Checker): Promise<void> {
  const groups: Record<string, (check: Checker) => Promise<void>> = {
    'order and handshake': handshake,
    'second initialize': secondInitialize,
    'two views of one call': twoViews,
    'calls of one tool at once': crossing,
    'two calls in one task': oneTask,
    'a view that navigated away': navigated,
    'a view that is unmounted': unmounted,
    'strangers and noise': noise,
    'after the end': afterTheEnd,
  };
  for (const [name, run] of Object.entries(groups)) await check.group(name, run);
}

async function handshake(check: Checker): Promise<void> {
  const output = open('order');
  push(output, 0, 20);
  const rig = await openRig(recorderHtml({ auto: false }), output);
  await rig.ask('initialize');
  push(output, 20, 40);
  rig.view.setHostContext({ theme: 'dark' });
  await quiet();
  const before = await heardBy(rig);
  check.ok(
    'before initialized only answers come',
    before.every(({ answer }) => answer !== undefined),
    () => JSON.stringify(before),
  );
  await rig.ask('initialized');
  push(output, 40, 60);
  await textArrives(rig, words(59, 60));
  output.finish(RESULT);
  const heard = await after(rig, 'tool-result');
  check.same('input, then chunks, then the result', shapeOf(heard), SHAPE);
  check.same('each chunk once, in order', textOf(heard), words(0, 60));
  const chunks = chunksOf(heard);
  check.same(
    'numbers count up from 0',
    chunks.map(({ seq }) => seq),
    [...chunks.keys()],
  );
  check.ok(
    'the server’s token is not among them',
    chunks.every(({ partialResultToken }) => partialResultToken !== 0),
  );
  await rig.close();
}

async function secondInitialize(check: Checker): Promise<void> {
  for (const acks of [false, true]) {
    const kind = acks ? 'with acks' : 'without acks';
    const output = open('twice');
    const rig = await openRig(recorderHtml({ auto: true, acks }), output);
    push(output, 0, 10);
    const first = await textArrives(rig, words(0, 10));
    await rig.ask('initialize');
    const begun = (await heardBy(rig)).length;
    push(output, 10, 15);
    await quiet();
    check.same(`${kind}: nothing between the two`, shapeOf((await heardBy(rig)).slice(begun)), []);
    await rig.ask('initialized');
    push(output, 15, 20);
    await until('the replay', async () => textOf((await heardBy(rig)).slice(begun)) === words(0, 20));
    output.finish(RESULT);
    const second = (await after(rig, 'tool-result')).slice(begun);
    check.same(`${kind}: input, all chunks, result`, shapeOf(second), SHAPE);
    check.same(`${kind}: each chunk once`, textOf(second), words(0, 20));
    const [old, fresh] = [chunksOf(first), chunksOf(second)];
    check.same(`${kind}: numbers start again`, fresh[0]?.['seq'], 0);
    const sameToken = old[0]?.['partialResultToken'] === fresh[0]?.['partialResultToken'];
    check.same(`${kind}: the token stays only where epochs are known`, sameToken, acks);
    await rig.close();
  }
}

async function twoViews(check: Checker): Promise<void> {
  const [shared, other] = [open('shared'), open('other')];
  const rigs = [
    await openRig(recorderHtml({ auto: true }), shared),
    await openRig(recorderHtml({ auto: true, acks: true }), shared),
    await openRig(recorderHtml({ auto: true }), other),
  ];
  for (const rig of rigs) await rig.ready();
  for (let seq = 0; seq < 30; seq += 10) {
    push(shared, seq, seq + 10);
    await quiet();
  }
  shared.finish(RESULT);
  for (const rig of rigs.slice(0, 2)) {
    const heard = await after(rig, 'tool-result');
    check.same('each gets every chunk once', textOf(heard), words(0, 30));
    check.same('each gets input, chunks, result', shapeOf(heard), SHAPE);
  }
  check.same('a view of another call gets nothing of it', shapeOf(await heardBy(rigs[2]!)), ['tool-input']);
  for (const rig of rigs) await rig.close();
}

async function crossing(check: Checker): Promise<void> {
  const names = ['a', 'b', 'c', 'd'];
  const calls = await Promise.all(
    names.map(async (name) => {
      const output = open(name);
      return { name, output, rig: await openRig(recorderHtml({ auto: true, acks: name > 'b' }), output) };
    }),
  );
  for (const { rig } of calls) await rig.ready();
  for (let seq = 0; seq < 25; seq++) {
    for (const { output, name } of calls) push(output, seq, seq + 1, name);
    if (seq % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const { rig, name } of calls) await textArrives(rig, words(0, 25, name));
  for (const { output, name } of [...calls].reverse())
    output.finish({ content: [{ type: 'text', text: name }] });
  for (const { name, rig } of calls) {
    const heard = await after(rig, 'tool-result');
    check.same(
      `${name} gets its own input`,
      heard.find(({ method }) => method?.endsWith('tool-input'))?.params,
      {
        arguments: { name },
      },
    );
    check.same(`${name} gets its own chunks`, textOf(heard), words(0, 25, name));
    check.same(`${name} gets its own result`, heard.at(-1)?.params?.['content'], [
      { type: 'text', text: name },
    ]);
    await rig.close();
  }
}

async function oneTask(check: Checker): Promise<void> {
  const [one, two] = [open('one'), open('two')];
  const first = await openRig(recorderHtml({ auto: true }), one);
  push(one, 0, 5);
  await first.ready();
  const second = await openRig(recorderHtml({ auto: true }), two);
  one.finish(RESULT);
  push(two, 0, 2);
  const heard = await after(first, 'tool-result');
  check.same('the first ends on its result', heard.at(-1)?.params?.['content'], RESULT.content);
  await second.ready();
  check.same(
    'chunks of the second wait for its view',
    textOf(await textArrives(second, words(0, 2))),
    words(0, 2),
  );
  await first.close();
  await second.close();
}

async function navigated(check: Checker): Promise<void> {
  const { urls } = await setting();
  const key = `k${Math.random()}`;
  const output = open('away');
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

async function unmounted(check: Checker): Promise<void> {
  for (const stage of ['ready', 'connecting']) {
    const output = open('gone');
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

async function noise(check: Checker): Promise<void> {
  const output = open('noise');
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

async function afterTheEnd(check: Checker): Promise<void> {
  const ends: Record<string, { run(output: ToolOutput): void; shape: string[] }> = {
    'a result': { run: (output) => output.finish(RESULT), shape: SHAPE },
    'an error result': { run: (output) => output.finish({ ...RESULT, isError: true }), shape: SHAPE },
    'a lost connection': { run: (output) => output.fail(new Error('reset by /internal/host')), shape: SHAPE },
    'a cancel': {
      run: (output) => output.cancel('user pressed /internal/key'),
      shape: [...SHAPE.slice(0, 2), 'tool-cancelled'],
    },
  };
  for (const [name, { run, shape }] of Object.entries(ends)) {
    const output = open('end');
    const rig = await openRig(recorderHtml({ auto: true }), output);
    await rig.ready();
    push(output, 0, 3);
    await textArrives(rig, words(0, 3));
    // Queued in the very task of the end: shown before an error, void before a result or a cancel.
    push(output, 3, 9);
    run(output);
    push(output, 9, 20);
    output.finish({ content: [{ type: 'text', text: 'second' }] });
    output.input({ again: true });
    await after(rig, shape.at(-1)!);
    await quiet();
    const heard = await heardBy(rig);
    check.same(`${name}: one end, nothing after it`, shapeOf(heard), shape);
    const flushed = name === 'an error result' || name === 'a lost connection';
    check.same(`${name}: what was queued`, textOf(heard), words(0, flushed ? 9 : 3));
    check.ok(`${name}: no internals of the host`, !JSON.stringify(heard).includes('/internal/'));
    await rig.close();
  }
}
