import { createToolOutput, type ToolOutput } from '@mcp-apps-bridge/host-bridge';
import { until } from './check.ts';
import { textOf, type Heard } from './recorder.ts';
import type { Rig } from './rig.ts';

export const RESULT = { content: [{ type: 'text', text: 'all' }] };
export const SHAPE = ['tool-input', 'tool-output-partial', 'tool-result'];

export const openCall = (name: string): ToolOutput => {
  const output = createToolOutput({ modes: { content: 'append' } });
  output.input({ name });
  return output;
};

/** Every output of the page gets the same token from its server: calls are told apart by more than that. */
export function push(output: ToolOutput, from: number, to: number, name = ''): void {
  for (let seq = from; seq < to; seq++) {
    output.push({ partialResultToken: 0, seq, content: [{ type: 'text', text: `${name}${seq} ` }] });
  }
}

export const words = (from: number, to: number, name = ''): string =>
  Array.from({ length: to - from }, (_, i) => `${name}${from + i} `).join('');

export const heardBy = async (rig: Rig): Promise<Heard[]> => (await rig.ask('log')) as Heard[];

/** Waits until the view has heard a method; its messages come in order, so all before it are there too. */
export const after = async (rig: Rig, method: string, times = 1): Promise<Heard[]> =>
  until(method, async () => {
    const heard = await heardBy(rig);
    return heard.filter((one) => one.method?.endsWith(method)).length >= times && heard;
  });

export const textArrives = async (rig: Rig, text: string): Promise<Heard[]> =>
  until(`the text ${text.slice(-20)}`, async () => {
    const heard = await heardBy(rig);
    return textOf(heard).endsWith(text) && heard;
  });

/** Room for messages that must not come. */
export const quiet = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));
