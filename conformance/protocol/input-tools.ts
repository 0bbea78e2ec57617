/* Tools of 2026-07-28 that ask for input by their result, and go on when they are called again (SEP-2322). */
import {
  acceptedContent,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './tools.ts';
import type { ToolResult } from './tools.ts';

export const stateCodec = createRequestStateCodec<string>({ key: 'only-for-the-suite-of-the-protocol' });

const NAME = z.object({ name: z.string() });
const COLOR = z.object({ color: z.string() });
const OK = z.object({ ok: z.boolean() });

const askName = (message = 'What is your name?'): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: NAME });
const confirm = (): InputRequest => inputRequired.elicit({ message: 'Please confirm', requestedSchema: OK });
const askModel = (question: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });

type InputTool = (ctx: ServerContext) => Promise<ToolResult | InputRequiredResult>;

/** Asks once; done when every answer is there, and with `state` when the state came back as well. */
function asking(requests: () => Record<string, InputRequest>, options: { state?: string } = {}): InputTool {
  return async (ctx) => {
    const inputRequests = requests();
    const { inputResponses } = ctx.mcpReq;
    const answered = Object.keys(inputRequests).every((key) => inputResponses?.[key] !== undefined);
    if (answered && ctx.mcpReq.requestState<string>() === options.state) {
      return text(`${options.state ?? 'answered'}: ${JSON.stringify(inputResponses)}`);
    }
    if (options.state === undefined) return inputRequired({ inputRequests });
    return inputRequired({ inputRequests, requestState: await stateCodec.mint(options.state, ctx) });
  };
}

async function greet(ctx: ServerContext): Promise<ToolResult | InputRequiredResult> {
  const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', NAME);
  if (answer === undefined) return inputRequired({ inputRequests: { user_name: askName() } });
  return text(`Hello, ${answer.name}!`);
}

async function twoRounds(ctx: ServerContext): Promise<ToolResult | InputRequiredResult> {
  const { inputResponses } = ctx.mcpReq;
  const state = ctx.mcpReq.requestState<string>();
  const color = acceptedContent(inputResponses, 'step2', COLOR);
  if (state !== undefined && color !== undefined) return text(`${state} likes ${color.color}.`);
  const name = acceptedContent(inputResponses, 'step1', NAME);
  if (name === undefined || state === undefined) {
    const inputRequests = { step1: askName('Step 1: What is your name?') };
    return inputRequired({ inputRequests, requestState: await stateCodec.mint('somebody', ctx) });
  }
  const message = 'Step 2: What is your favorite color?';
  const inputRequests = { step2: inputRequired.elicit({ message, requestedSchema: COLOR }) };
  return inputRequired({ inputRequests, requestState: await stateCodec.mint(name.name, ctx) });
}

/** Asks for what the client said it can give. */
async function byCapability(ctx: ServerContext): Promise<ToolResult | InputRequiredResult> {
  // The SDK's type of the envelope names no key.
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = ctx.mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
  const inputRequests: Record<string, InputRequest> = {
    ...(declared?.elicitation && { confirm: confirm() }),
    ...(declared?.sampling && { question: askModel('Shall we go on?', 50) }),
  };
  return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : text('nobody to ask');
}

const capital = (): Record<string, InputRequest> => ({
  capital_question: askModel('What is the capital of France?', 100),
});

export const INPUT_TOOLS: Record<string, InputTool> = {
  // Asks a client's model whatever the client has said: the SDK refuses, and the wrapper lets it.
  test_missing_capability: asking(capital),
  test_input_required_result_elicitation: greet,
  test_input_required_result_sampling: asking(capital),
  test_input_required_result_list_roots: asking(() => ({ client_roots: inputRequired.listRoots() })),
  test_input_required_result_request_state: asking(() => ({ confirm: confirm() }), { state: 'state-ok' }),
  test_input_required_result_multiple_inputs: asking(
    () => ({
      user_name: askName(),
      greeting: askModel('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    }),
    { state: 'all' },
  ),
  test_input_required_result_multi_round: twoRounds,
  test_input_required_result_tampered_state: asking(() => ({ confirm: confirm() }), { state: 'signed' }),
  test_input_required_result_capabilities: byCapability,
};
