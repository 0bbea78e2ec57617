/** Addresses of the servers behind the browser tests, which the global set-up starts. */
export interface SandboxServers {
  /** The sandbox origin: `/proxy` from the handler, `/static` without header, `/strict` for another host only, `/redirect` to the first under another name. */
  sandbox: string;
  /** A third origin, with a page at `/page` that reports what it is posted, and `/log`, which tells what came. */
  other: string;
  /** MCP over HTTP/1.1 and its monitor, see `stream-server.ts`. */
  streams: string;
  monitor: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    sandboxServers: SandboxServers;
  }
}
