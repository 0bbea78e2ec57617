export interface SseEvent {
  /** The event as received, without its closing blank line. */
  raw: string;
  /** Its `data` lines, joined. */
  data: string;
}

/** Cuts a byte stream into server-sent events, each as soon as it is whole. */
export async function* parseSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true }).replaceAll('\r', '');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const raw = text.slice(0, end);
      text = text.slice(end + 2);
      yield { raw, data: dataOf(raw) };
    }
  }
}

function dataOf(raw: string): string {
  return raw
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5))
    .join('\n');
}
