import { describe, expect, test } from 'vitest';
import { createSanitizer } from '../stream/sanitize/sanitizer.ts';
import type { FrameEvent } from './frame-events.ts';
import type { HostHandlers } from './host-handlers.ts';
import { createViewTools, type ToolSession } from './view-tools.ts';

function setUp(listed: unknown, handlers: HostHandlers = {}) {
  const calls: unknown[] = [];
  const events: FrameEvent[] = [];
  const state = { closed: false, fail: false };
  let session: ToolSession | undefined = {
    initialized: true,
    exposesTools: true,
    listTools: async () => ({ tools: listed }),
    async callTool(params) {
      calls.push(params);
      if (state.fail) throw new Error('the view says no');
      return {
        content: [
          { type: 'text', text: 'did it' },
          { type: 'script', text: 'x' },
        ],
      };
    },
  };
  const tools = createViewTools({
    owner: 'show board',
    session: () => session,
    closed: () => state.closed,
    handlers: () => handlers,
    sanitizer: createSanitizer(),
    onEvent: (event) => events.push(event),
  });
  const lose = (): void => void (session = undefined);
  return { tools, calls, events, state, lose };
}

const move = {
  name: 'move',
  title: 'Move a piece',
  description: 'd'.repeat(9_000),
  inputSchema: { type: 'object' },
};
const look = { name: 'look', annotations: { readOnlyHint: true } };

describe('tools that a view exposes (H22)', () => {
  test('are attributed, and no tool of a server can be taken for one', async () => {
    const { tools } = setUp([move, look, { name: 'bad name' }, { name: 1 }, null]);
    expect(await tools.list()).toEqual([
      {
        name: 'move',
        qualifiedName: 'view__show_board__move',
        title: 'Move a piece',
        description: 'd'.repeat(2_000),
        inputSchema: { type: 'object' },
        readOnly: false,
      },
      { name: 'look', qualifiedName: 'view__show_board__look', readOnly: true },
    ]);
  });

  test('are limited in number', async () => {
    const { tools } = setUp(Array.from({ length: 500 }, (_, i) => ({ name: `t${i}` })));
    expect(await tools.list()).toHaveLength(32);
  });

  test('are called after consent, those that only read without; their results pass the sanitizer', async () => {
    const asked: unknown[] = [];
    const { tools, calls, events } = setUp([move, look], {
      async allowViewTool(call) {
        asked.push(call);
        return true;
      },
    });
    expect(await tools.call('move', { to: 'e4' })).toEqual({ content: [{ type: 'text', text: 'did it' }] });
    await tools.call('look');
    expect(asked).toEqual([{ name: 'move', title: 'Move a piece', arguments: { to: 'e4' } }]);
    expect(calls).toEqual([
      { name: 'move', arguments: { to: 'e4' } },
      { name: 'look', arguments: {} },
    ]);
    expect(events).toContainEqual({ type: 'view_tool', name: 'move', outcome: 'called' });
  });

  test.each<[string, HostHandlers]>([
    ['no hook', {}],
    ['a hook that says no', { allowViewTool: () => false }],
    [
      'a hook that throws',
      {
        allowViewTool() {
          throw new Error('internal');
        },
      },
    ],
  ])('are not called with %s', async (_, handlers) => {
    const { tools, calls } = setUp([move], handlers);
    await expect(tools.call('move')).rejects.toMatchObject({ code: 'view_tool_refused' });
    expect(calls).toEqual([]);
  });

  test('end with the view', async () => {
    const { tools, state, lose } = setUp([look]);
    await expect(tools.call('fly')).rejects.toMatchObject({ code: 'view_tool_unknown' });
    state.fail = true;
    await expect(tools.call('look')).rejects.toMatchObject({ code: 'view_tool_failed' });
    lose();
    await expect(tools.list()).rejects.toMatchObject({ code: 'view_lost' });
    state.closed = true;
    await expect(tools.call('look')).rejects.toMatchObject({ code: 'closed' });
  });
});
