import type { ModelContext } from '@mcp-apps-bridge/host-bridge';

/** As much of a content block as is shown. */
interface Block {
  type: string;
  text?: string | undefined;
  mimeType?: string | undefined;
  data?: string | undefined;
}

const place = (id: string): HTMLElement => document.getElementById(id)!;

/** Adds a line to a list. */
export function list(id: string, text: string): HTMLElement {
  const item = place(id).appendChild(document.createElement('li'));
  item.textContent = text;
  return item;
}

/** Replaces what stands in a place. */
export function write(id: string, text: string): HTMLElement {
  place(id).textContent = text;
  return place(id);
}

/** Notes a fact where only the test looks. */
export function mark(id: string, key: string, value: string): void {
  place(id).dataset[key] = value;
}

/** Text as text and images as images, as in a conversation. */
export function showContent(parent: HTMLElement, content: readonly Block[]): void {
  for (const block of content) {
    if (block.type === 'text') parent.append(block.text ?? '');
    else if (block.type === 'image') {
      const image = parent.appendChild(document.createElement('img'));
      image.src = `data:${block.mimeType};base64,${block.data}`;
    } else parent.append(JSON.stringify(block));
  }
}

/** What a view wants the model to know. */
export function showContext(parent: HTMLElement, { content, structuredContent }: ModelContext): void {
  if (structuredContent) parent.append(JSON.stringify(structuredContent));
  showContent(parent, content ?? []);
}
