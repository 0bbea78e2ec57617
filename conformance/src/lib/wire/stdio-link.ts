import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { spawnCommand } from './spawn.ts';
import type { LinkEvents, Link, OpenLink } from './link.ts';
import { parseMessages } from './message.ts';

/** Starts `command` in a shell and speaks newline-delimited JSON with it; its stderr is passed on. */
export function openStdio(command: string): OpenLink {
  return async (events) => {
    const child = spawnCommand(command);
    const link = overStreams(child.stdout, child.stdin, events);
    return {
      ...link,
      async close() {
        await link.close();
        await child.stop();
      },
    };
  };
}

/** The same over a pair of streams, for a server in this process. */
export function overStreams(input: Readable, output: Writable, events: LinkEvents): Link {
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    for (const message of parseMessages(line)) events.onMessage(message, 'stdio');
  });
  lines.once('close', () => events.onClosed('the server closed its output'));
  output.on('error', () => events.onClosed('the server closed its input'));
  return {
    transport: 'stdio',
    async send(message) {
      if (!output.write(`${JSON.stringify(message)}\n`)) await once(output, 'drain').catch(() => {});
    },
    abort: () => false,
    close() {
      output.end();
      lines.close();
      return Promise.resolve();
    },
  };
}
