import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeywordPlanner } from '../../planner/keyword-planner.ts';
import { serveReport } from '../../report/serve.ts';
import { serveRunner } from '../../runner/serve.ts';
import { createCallStarter, type StartCall } from './calls.ts';
import { createChat } from './chat.ts';
import type { Chat, Turn } from './chat.ts';
import { connectServers, modelTools } from './servers.ts';
import type { Server } from './servers.ts';

let stop: () => Promise<unknown>;
let servers: Server[];

beforeAll(async () => {
  const readApp = (): string => '<title>app</title>';
  const report = await serveReport({ port: 0, hostOrigins: [], paceMs: 0, debug: false, readApp });
  const runner = await serveRunner({ port: 0, hostOrigins: [], debug: false, readApp });
  servers = await connectServers({ mcp: { report: report.url, runner: runner.url }, sandbox: '' });
  stop = async () => {
    await Promise.all(servers.map(({ client }) => client.close()));
    await Promise.all([report.close(), runner.close()]);
  };
});
afterAll(() => stop());

const startStreamingCall = createCallStarter(true);

function chatWith(startCall: StartCall): Chat {
  return createChat({ servers, planner: createKeywordPlanner(), startCall });
}

/** The first turn once `settled` says so of it. */
function turnWhen(chat: Chat, settled: (turn: Turn) => boolean): Promise<Turn> {
  return new Promise((resolve) => {
    const check = (): void => {
      const [turn] = chat.getState().turns;
      if (turn === undefined || !settled(turn)) return;
      stopListening();
      resolve(turn);
    };
    const stopListening = chat.subscribe(check);
    check();
  });
}

test('a tool that streams is called once its view is ready, and answers with the text for the model', async () => {
  const chat = chatWith(startStreamingCall);
  chat.send('Build me a Q2 revenue dashboard');
  const prepared = await turnWhen(chat, (turn) => turn.run !== undefined);
  expect(prepared.run?.call).toBeUndefined();
  chat.viewSettled(prepared.id);
  const done = await turnWhen(chat, (turn) => turn.answer !== undefined);
  expect(done.run?.status).toBe('complete');
  expect(done.answer).toContain('Q2 2025 revenue · all regions: $40.81M');
  expect(done.answer).not.toContain('updateDataModel');
  expect(done.run?.figures.received).toBeGreaterThan(50);
  expect(done.run?.figures.rejected).toBe(0);
});

test('what the app leaves out is in the figures', async () => {
  const chat = chatWith(startStreamingCall);
  chat.send('Build me a Q2 revenue dashboard');
  const { id } = await turnWhen(chat, (turn) => turn.run !== undefined);
  chat.viewSettled(id);
  chat.viewLeftOut(id);
  chat.viewLeftOut(id);
  chat.viewLeftOut(id + 1);
  await turnWhen(chat, (turn) => turn.run?.status === 'complete' && turn.run.figures.rejected === 2);
});

test('without partial results the answer is the same and nothing was streamed', async () => {
  const answers: (string | undefined)[] = [];
  for (const partials of [true, false]) {
    const chat = chatWith(createCallStarter(partials));
    chat.send('Write a revenue report for Q3');
    chat.viewSettled((await turnWhen(chat, (turn) => turn.run !== undefined)).id);
    const done = await turnWhen(chat, (turn) => turn.answer !== undefined);
    answers.push(done.answer);
    if (!partials) expect(done.run?.figures.received).toBe(0);
  }
  expect(answers[0]).toBe(answers[1]);
});

test('a call that is cancelled before its view is ready is never made', async () => {
  let started = 0;
  const chat = chatWith((...args) => {
    started++;
    return startStreamingCall(...args);
  });
  chat.send('Build me a Q2 revenue dashboard');
  const { id } = await turnWhen(chat, (turn) => turn.run !== undefined);
  chat.cancel(id);
  await new Promise<void>((resolve) => {
    const check = (): void => void (!chat.getState().busy && resolve());
    chat.subscribe(check);
    check();
  });
  expect(started).toBe(0);
  expect((await turnWhen(chat, () => true)).run?.status).toBe('cancelled');
});

test('one prompt at a time', async () => {
  const chat = chatWith(startStreamingCall);
  chat.send('Build me a Q2 revenue dashboard');
  chat.send('Write a revenue report');
  expect(chat.getState().turns).toHaveLength(1);
  chat.cancel((await turnWhen(chat, (turn) => turn.run !== undefined)).id);
});

test('a prompt nobody understands gets help instead of a call', async () => {
  const chat = chatWith(startStreamingCall);
  chat.send('Sing me a song');
  const turn = await turnWhen(chat, (current) => current.say !== undefined);
  expect(turn.run).toBeUndefined();
});

test('the model is never offered a tool that is for the app only', () => {
  expect(modelTools(servers).map(({ tool }) => tool.name)).toEqual([
    'generate_dashboard',
    'write_report',
    'run_checks',
  ]);
});
