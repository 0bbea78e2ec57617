import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { HostHandlers, ViewDownload } from './host-handlers.ts';
import { safeFileName } from './file-name.ts';
import type { ResourceClient } from './ui-resource.ts';

export interface DownloadsOptions {
  client: ResourceClient;
  /** Read at each request. */
  hook(): HostHandlers['downloadFile'];
  /** Hands a file to the user. */
  save(name: string, file: Blob): void;
}

/** What became of a request. */
export interface DownloadOutcome {
  saved: string[];
  /** Name of the file that was refused, and why. */
  refused?: { name: string; reason: 'declined' | 'unreadable' | 'too_large' };
}

const MAX_FILES = 10;
/** Of one file, decoded. */
const MAX_BYTES = 64 * 1_024 * 1_024;

/**
 * `ui/download-file` (H21): each file is offered to the hook under a clean name, then saved. Linked files are read
 * from the app's own server, after consent; the host fetches no address for an app. The first refusal ends it.
 */
export function createDownloads(options: DownloadsOptions): (contents: unknown) => Promise<DownloadOutcome> {
  async function resolve(item: Record<string, unknown>): Promise<Blob | undefined> {
    if (item['type'] === 'resource')
      return isPlainObject(item['resource']) ? blobOf(item['resource']) : undefined;
    const { uri } = item;
    if (item['type'] !== 'resource_link' || typeof uri !== 'string') return undefined;
    const answer = await options.client.readResource({ uri });
    const contents = isPlainObject(answer) ? answer['contents'] : undefined;
    const [first] = Array.isArray(contents) ? (contents as unknown[]) : [];
    return isPlainObject(first) ? blobOf(first) : undefined;
  }

  async function one(item: unknown): Promise<DownloadOutcome> {
    const block = isPlainObject(item) ? item : {};
    const name = safeFileName(nameOf(block));
    const refused = (reason: 'declined' | 'unreadable' | 'too_large'): DownloadOutcome => ({
      saved: [],
      refused: { name, reason },
    });
    const linked = block['type'] === 'resource_link';
    const embedded = linked ? undefined : await resolve(block);
    if (!linked && !embedded) return refused('unreadable');
    if (embedded && embedded.size > MAX_BYTES) return refused('too_large');
    const hook = options.hook();
    const offer: ViewDownload = { name, mimeType: mimeTypeOf(block), ...(embedded && { file: embedded }) };
    if (linked) offer.uri = String(block['uri']);
    const answer = await hook?.(offer);
    if (answer === 'handled') return { saved: [name] };
    if (answer !== true) return refused('declined');
    const file = embedded ?? (await resolve(block).catch(() => undefined));
    if (!file) return refused('unreadable');
    if (file.size > MAX_BYTES) return refused('too_large');
    options.save(name, file);
    return { saved: [name] };
  }

  return async (contents) => {
    const items = Array.isArray(contents) ? (contents as unknown[]) : [];
    if (items.length === 0) return { saved: [], refused: { name: 'download', reason: 'unreadable' } };
    const saved: string[] = [];
    for (const [i, item] of items.entries()) {
      if (i === MAX_FILES) return { saved, refused: { name: safeFileName(''), reason: 'too_large' } };
      const outcome = await one(item);
      saved.push(...outcome.saved);
      if (outcome.refused) return { saved, refused: outcome.refused };
    }
    return { saved };
  };
}

function nameOf(block: Record<string, unknown>): unknown {
  const { name, title, uri, resource } = block;
  const address = isPlainObject(resource) ? resource['uri'] : uri;
  return [name, title, address].find((candidate) => typeof candidate === 'string' && candidate !== '');
}

function mimeTypeOf(block: Record<string, unknown>): string {
  const of = isPlainObject(block['resource']) ? block['resource'] : block;
  return typeof of['mimeType'] === 'string' ? of['mimeType'].slice(0, 255) : 'application/octet-stream';
}

function blobOf(content: Record<string, unknown>): Blob | undefined {
  const type = mimeTypeOf(content);
  if (typeof content['text'] === 'string') return new Blob([content['text']], { type });
  if (typeof content['blob'] !== 'string') return undefined;
  try {
    return new Blob([Uint8Array.from(atob(content['blob']), (char) => char.charCodeAt(0))], { type });
  } catch {
    return undefined;
  }
}
