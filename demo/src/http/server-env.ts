import { paceFromEnv } from './pace.ts';
import { portFromEnv } from './listen.ts';

/** What both MCP servers read from the environment. */
export function serverEnv(portVariable: string): {
  port: number;
  /** From `DEMO_HOST_ORIGIN`; without it no page may call. */
  hostOrigins: string[];
  paceMs: number;
  debug: boolean;
} {
  const origin = process.env['DEMO_HOST_ORIGIN'];
  return {
    port: portFromEnv(portVariable),
    hostOrigins: origin === undefined || origin === '' ? [] : [origin],
    paceMs: paceFromEnv(),
    debug: process.env['DEMO_DEBUG'] === '1',
  };
}
