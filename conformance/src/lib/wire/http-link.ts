import type { LinkEvents, OpenLink, StreamName } from './link.ts';
import { type Era, type Message, parseMessages, PROTOCOL_VERSIONS } from './message.ts';
import { readEvents } from './sse.ts';

/** Streamable HTTP: each message a POST, its answer JSON or SSE. */
export function openHttp(url: string, era: Era): OpenLink {
  return async (events) => {
    const open = new Map<number, AbortController>();
    const session = new AbortController();
    let sessionId: string | undefined;

    function headers(message: Message): Record<string, string> {
      const { method, params } = message as { method?: string; params?: Message };
      return {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(era === 'modern' && {
          'mcp-protocol-version': PROTOCOL_VERSIONS.modern,
          ...(method !== undefined && { 'mcp-method': method }),
          ...(method === 'tools/call' && { 'mcp-name': String(params?.['name']) }),
        }),
        ...(sessionId !== undefined && {
          'mcp-session-id': sessionId,
          'mcp-protocol-version': PROTOCOL_VERSIONS.legacy,
        }),
      };
    }

    async function post(message: Message): Promise<void> {
      const id = message['id'] as number | undefined;
      const isRequest = id !== undefined && message['method'] !== undefined;
      const controller = new AbortController();
      if (isRequest) open.set(id, controller);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: headers(message),
          body: JSON.stringify(message),
          signal: controller.signal,
        });
        sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
        await readAnswer(response, `request ${String(id)}`, events);
      } finally {
        if (isRequest && open.delete(id)) events.onStreamEnd(id);
      }
    }

    /** Legacy servers may speak outside any request; most answer 405, which is fine. */
    async function listen(): Promise<void> {
      const response = await fetch(url, {
        headers: {
          accept: 'text/event-stream',
          'mcp-session-id': sessionId!,
          'mcp-protocol-version': PROTOCOL_VERSIONS.legacy,
        },
        signal: session.signal,
      });
      if (response.ok) await readAnswer(response, 'session', events);
      else await response.body?.cancel();
    }

    return {
      transport: 'http',
      async send(message) {
        // What fails here shows as an answer that ended without a response.
        const done = post(message).catch(() => {});
        // A notification has arrived when its POST is answered; a request is answered in its own time.
        if (message['id'] === undefined) await done;
        if (message['method'] === 'notifications/initialized' && sessionId !== undefined) {
          void listen().catch(() => {});
        }
      },
      abort(id) {
        open.get(id)?.abort();
        return open.has(id);
      },
      async close() {
        session.abort();
        for (const controller of open.values()) controller.abort();
        if (sessionId === undefined) return;
        await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': sessionId } }).catch(() => {});
      },
    };
  };
}

async function readAnswer(response: Response, stream: StreamName, events: LinkEvents): Promise<void> {
  if (!response.body) return;
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    for await (const data of readEvents(response.body)) {
      for (const message of parseMessages(data)) events.onMessage(message, stream);
    }
    return;
  }
  for (const message of parseMessages(await response.text())) events.onMessage(message, stream);
}
