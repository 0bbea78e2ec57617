import type { Message } from './message.ts';

/** Where a message came in: on the answer to one request, or on what the connection shares. */
export type StreamName = `request ${string}` | 'session' | 'stdio';

export interface LinkEvents {
  onMessage(message: Message, stream: StreamName): void;
  /** The answer to a request ended, with or without the response. */
  onStreamEnd(id: number): void;
  /** Nothing more will come. */
  onClosed(reason: string): void;
}

/** The client end of a raw connection. Knows JSON-RPC framing and nothing of MCP but its headers. */
export interface Link {
  readonly transport: 'http' | 'stdio';
  send(message: Message): Promise<void>;
  /** Closes the answer to a request where the transport has one of its own. False where it has not. */
  abort(id: number): boolean;
  close(): Promise<void>;
}

export type OpenLink = (events: LinkEvents) => Promise<Link>;
