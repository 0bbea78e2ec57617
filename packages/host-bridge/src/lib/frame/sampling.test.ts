import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { describe, expect, test } from 'vitest';
import { createSamplingLimiter } from './sampling.ts';

const message = { role: 'user', content: { type: 'text', text: 'hi' } };
const ask = { messages: [message], maxTokens: 100 };

function setUp() {
  const scheduler = createManualScheduler();
  const limiter = createSamplingLimiter(scheduler);
  const one = (params: unknown): unknown => {
    const admitted = limiter.admit(params);
    if ('refused' in admitted) return admitted.refused;
    admitted.done();
    return admitted.request;
  };
  return { scheduler, limiter, one };
}

describe('a request to the model', () => {
  test('goes on with what is known of it, its tokens limited', () => {
    const { one } = setUp();
    const more = {
      ...ask,
      maxTokens: 1e9,
      systemPrompt: 'be brief',
      temperature: 0,
      tools: [{}],
      _meta: { a: 1 },
    };
    expect(one(more)).toEqual({
      messages: [message],
      maxTokens: 4_096,
      systemPrompt: 'be brief',
      temperature: 0,
    });
    expect(one({ messages: [message], maxTokens: -5 })).toMatchObject({ maxTokens: 4_096 });
  });

  test('waits for none: one at a time', () => {
    const { limiter } = setUp();
    const first = limiter.admit(ask);
    expect(limiter.admit(ask)).toEqual({ refused: 'busy' });
    if ('done' in first) first.done();
    expect(limiter.admit(ask)).toHaveProperty('request');
  });

  test('comes ten times a minute at most', () => {
    const { one, scheduler } = setUp();
    const answers = Array.from({ length: 12 }, () => one(ask));
    expect(answers.filter((answer) => answer === 'too_often')).toHaveLength(2);
    scheduler.advance(60_000);
    expect(one(ask)).toMatchObject({ maxTokens: 100 });
  });

  test.each([
    undefined,
    {},
    { messages: [] },
    { messages: 'x' },
    { messages: [1] },
    { messages: Array.from({ length: 101 }, () => message) },
  ])('that is none is refused: %#', (params) => {
    expect(setUp().one(params)).toBe('invalid');
  });
});
