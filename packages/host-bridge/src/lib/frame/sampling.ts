import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { ViewSampling } from './host-handlers.ts';

/** What one view may ask of the model. */
const MAX_TOKENS = 4_096;
const MAX_MESSAGES = 100;
const MAX_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

export interface SamplingLimiter {
  /** The request within its limits, or why it is none. Counts it. */
  admit(
    params: unknown,
  ): { request: ViewSampling; done(): void } | { refused: 'busy' | 'too_often' | 'invalid' };
}

/**
 * Limits `sampling/createMessage` of an app (H21): one at a time, ten a minute, at most 4,096 tokens and 100
 * messages. Tools and model preferences do not go on: they are the host's business.
 */
export function createSamplingLimiter(scheduler: Pick<Scheduler, 'now'>): SamplingLimiter {
  let busy = false;
  let times: number[] = [];

  return {
    admit(params) {
      const request = read(params);
      if (!request) return { refused: 'invalid' };
      if (busy) return { refused: 'busy' };
      const now = scheduler.now();
      times = times.filter((at) => now - at < MINUTE_MS);
      if (times.length >= MAX_PER_MINUTE) return { refused: 'too_often' };
      times.push(now);
      busy = true;
      return {
        request,
        done() {
          busy = false;
        },
      };
    },
  };
}

function read(params: unknown): ViewSampling | undefined {
  if (!isPlainObject(params) || !Array.isArray(params['messages'])) return undefined;
  const { messages, systemPrompt, maxTokens, temperature } = params;
  if (messages.length === 0 || messages.length > MAX_MESSAGES || !messages.every(isPlainObject))
    return undefined;
  const asked = typeof maxTokens === 'number' && maxTokens > 0 ? Math.floor(maxTokens) : MAX_TOKENS;
  return {
    messages: messages as ViewSampling['messages'],
    maxTokens: Math.min(Math.max(asked, 1), MAX_TOKENS),
    ...(typeof systemPrompt === 'string' && { systemPrompt }),
    ...(typeof temperature === 'number' && { temperature }),
  };
}
