/// <reference types="vite/client" />
import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { a2uiBlock, chunkOf } from '../../testing/chunks.ts';
import { createAppRuntime } from '../runtime.ts';
import type { AppRuntime, Snapshot } from '../types.ts';
import type { A2uiState } from './consumer.ts';
import { mountA2ui } from './mount.ts';
import type { A2uiProblem } from './types.ts';

/* Every example stream that comes with the renderer, v0.9 and v1.0. */
const files = import.meta.glob<{ messages: Array<Record<string, unknown>> }>(
  '../../../node_modules/@a2ui/web_core/src/v*/schemas/catalogs/basic/examples/*.json',
  { eager: true, import: 'default', exhaustive: true },
);
const examples = Object.entries(files).map(([path, { messages }]) => {
  const [, version, name] = /\/(v[\d_]+)\/.*\/([^/]+)\.json$/.exec(path)!;
  return { name: `${version} ${name}`, messages };
});

interface Rig {
  element: HTMLElement;
  runtime: AppRuntime<A2uiState>;
  problems: A2uiProblem[];
  close(): void;
}

const rigs: Rig[] = [];

function setUp(): Rig {
  const element = document.body.appendChild(document.createElement('div'));
  const problems: A2uiProblem[] = [];
  const view = mountA2ui(element, { onProblem: (problem) => problems.push(problem) });
  let latest: Snapshot<A2uiState> | undefined;
  const runtime = createAppRuntime({
    consumer: view.consumer,
    onChange(snapshot) {
      latest = snapshot;
      view.update(snapshot);
    },
  });
  expect(latest).toBeUndefined();
  const rig = {
    element,
    runtime,
    problems,
    close() {
      runtime.close();
      view.close();
      element.remove();
    },
  };
  rigs.push(rig);
  return rig;
}

afterEach(() => {
  rigs.splice(0).forEach((rig) => rig.close());
});

function lines(messages: unknown[]): string {
  return messages.map((message) => JSON.stringify(message)).join('\n');
}

function resultOf(messages: unknown[]): ToolResult {
  return { content: [a2uiBlock(lines(messages))] };
}

/** All markup, shadow roots included; comments are the renderer's bookkeeping. */
function markup(node: Element | ShadowRoot): string {
  let out = '';
  for (const child of node.childNodes) {
    if (child instanceof Text) out += child.data.trim();
    if (!(child instanceof Element)) continue;
    const attributes = [...child.attributes].map(({ name, value }) => ` ${name}="${value}"`).sort();
    out += `<${child.localName}${attributes.join('')}>`;
    if (child.shadowRoot) out += `#shadow(${markup(child.shadowRoot)})`;
    out += `${markup(child)}</>`;
  }
  return out;
}

/** Lit draws in microtasks, level by level; twice the same means that it is done. */
async function settled(element: HTMLElement): Promise<string> {
  let last = '';
  for (let i = 0; i < 200; i++) {
    await new Promise((resolve) => setTimeout(resolve));
    const now = markup(element);
    if (now === last && now !== '') return now;
    last = now;
  }
  throw new Error('the page does not come to rest');
}

function modelOf(state: A2uiState): unknown {
  return [...state.model.surfaces].map(([id, surface]) => ({
    id,
    data: surface.dataModel.get('/') as unknown,
    components: [...surface.componentsModel.entries].map(([, component]) => component.componentTree),
  }));
}

async function streamed(messages: unknown[], order: number[]): Promise<{ page: string; model: unknown }> {
  const { element, runtime } = setUp();
  for (const seq of order) runtime.receive(chunkOf(seq, [a2uiBlock(`${JSON.stringify(messages[seq])}\n`)]));
  runtime.flush();
  const page = await settled(element);
  return { page, model: modelOf(runtime.snapshot().state) };
}

describe('the official examples', () => {
  it('are all there', () => {
    expect(examples.filter(({ name }) => name.startsWith('v0_9'))).toHaveLength(43);
    expect(examples.filter(({ name }) => name.startsWith('v1_0'))).toHaveLength(43);
  });

  it.each(examples)(
    '$name draws the same in order, shuffled with duplicates, and from the result alone (S18, field case 1)',
    async ({ messages }) => {
      const inOrder = messages.map((_, seq) => seq);
      const { element, runtime, problems } = setUp();
      for (const seq of inOrder)
        runtime.receive(chunkOf(seq, [a2uiBlock(`${JSON.stringify(messages[seq])}\n`)]));
      runtime.flush();
      const page = await settled(element);
      const model = modelOf(runtime.snapshot().state);
      expect(problems.filter(({ code }) => code !== 'expression_failed')).toEqual([]);
      expect(page).toContain('<a2ui-surface');

      const orders = fc.sample(
        fc.shuffledSubarray([...inOrder, ...inOrder], { minLength: inOrder.length * 2 }),
        { numRuns: 2, seed: 7 },
      );
      for (const order of orders) expect(await streamed(messages, order)).toEqual({ page, model });

      runtime.finish(resultOf(messages));
      await vi.waitFor(() => expect(runtime.snapshot().status).toBe('complete'));
      const end = await settled(element);
      const other = setUp();
      other.runtime.finish(resultOf(messages));
      await vi.waitFor(() => expect(other.runtime.snapshot().status).toBe('complete'));
      expect(await settled(other.element)).toBe(end);
      expect(modelOf(other.runtime.snapshot().state)).toEqual(modelOf(runtime.snapshot().state));
    },
  );
});
