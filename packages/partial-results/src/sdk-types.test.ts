import type {
  CallToolResult as ResultV2,
  Client as ClientV2,
  Tool as ToolV2,
} from '@modelcontextprotocol/client';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult as ResultV1, Tool as ToolV1 } from '@modelcontextprotocol/sdk/types.js';
import type { ServerContext } from '@modelcontextprotocol/server';
import { describe, expectTypeOf, it } from 'vitest';
import type { callTool, HintedTool, ResultOf, ToolClient, ToolListClient } from './client.ts';
import type { EmitsPartials, withPartialResults } from './server.ts';
import type { PartialResultBody, ToolResult } from './index.ts';

/* Checked by the compiler (`tsc -p tsconfig.test.json`), not at run time. */
describe('types', () => {
  it('take the clients of both generations', () => {
    expectTypeOf<ClientV2>().toExtend<ToolClient & ToolListClient>();
    expectTypeOf<ClientV1>().toExtend<ToolClient & ToolListClient>();
  });

  it('give back the result and tool types of the client given', () => {
    expectTypeOf<ResultOf<ClientV2>>().toExtend<ResultV2>();
    expectTypeOf<ResultOf<ClientV1>['content']>().toEqualTypeOf<ResultV1['content']>();
    expectTypeOf<ResultOf<ToolClient>>().toEqualTypeOf<ToolResult>();
    expectTypeOf<HintedTool<ClientV2>>().toExtend<ToolV2>();
    expectTypeOf<HintedTool<ClientV1>>().toExtend<ToolV1>();
    expectTypeOf<NonNullable<HintedTool<ClientV1>['annotations']>['streamingHint']>().toEqualTypeOf<
      boolean | undefined
    >();
  });

  it('take the signals of DOM and Node', () => {
    expectTypeOf<AbortSignal>().toExtend<
      NonNullable<NonNullable<Parameters<typeof callTool>[2]>['signal']>
    >();
  });

  it('give a typed handler its context back without the addition', () => {
    type Wrapped = ReturnType<typeof withPartialResults<{ topic: string }, ServerContext, ResultV2>>;
    expectTypeOf<Wrapped>().toEqualTypeOf<
      (args: { topic: string }, context: ServerContext) => Promise<ResultV2>
    >();
    expectTypeOf<EmitsPartials['emitPartial']>().parameter(0).toEqualTypeOf<PartialResultBody>();
  });
});
