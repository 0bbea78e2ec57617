import { expect, test } from 'vitest';
import { createFanOut, type Subscription } from './fan-out.ts';

function subscription(name: string, log: string[], inside: () => void = () => undefined): Subscription {
  return {
    sink: {
      live() {
        log.push(name);
        inside();
      },
    },
    active: true,
    truncated: false,
  };
}

test.each(['publish', 'restart', 'each'] as const)(
  'case 17: %s serves who was there when it began, less who left meanwhile',
  (how) => {
    const log: string[] = [];
    const sinks = createFanOut(() => undefined);
    const leaving = subscription('leaving', log);
    const first = subscription('first', log, () => {
      sinks.remove(leaving);
      sinks.add(subscription('newcomer', log));
    });
    first.sink.restart = () => first.sink.live?.();
    sinks.add(first);
    sinks.add(leaving);
    if (how === 'publish') sinks.publish((sink) => sink.live?.());
    else if (how === 'restart') sinks.restart();
    else sinks.each((each) => sinks.call(each, (sink) => sink.live?.()));
    expect(log).toEqual(['first']);
  },
);
