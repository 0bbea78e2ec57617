import type { ToolOutput } from '@mcp-apps-bridge/host-bridge';
import { RESULT, SHAPE, openCall, push, words, heardBy, after, textArrives, quiet } from './call.ts';
import { until, type Checker } from './check.ts';
import { navigated, noise, unmounted } from './departures.ts';
import { chunksOf, recorderHtml, shapeOf, textOf } from './recorder.ts';
import { openRig } from './rig.ts';

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
  const output = openCall('order');
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
    const output = openCall('twice');
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
  const [shared, other] = [openCall('shared'), openCall('other')];
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
      const output = openCall(name);
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
  const [one, two] = [openCall('one'), openCall('two')];
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
    const output = openCall('end');
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
