import { renderMarkdown } from '@a2ui/markdown-it';
import { splitBlocks } from './split-blocks.ts';

/**
 * Shows growing Markdown. A block that is finished is rendered once and then left alone, so selection,
 * scroll position and cost stay as they are while the text grows. The HTML is made and sanitized here, from
 * the text as a whole: pieces of text are never HTML.
 */
export function createMarkdownView(root: HTMLElement): { show(markdown: string, growing: boolean): void } {
  const shown: { source: string; element: HTMLElement }[] = [];
  /** Raised by each render, so that an older one that finishes late is dropped. */
  const turns = new WeakMap<HTMLElement, number>();

  function render(element: HTMLElement, source: string): void {
    const turn = (turns.get(element) ?? 0) + 1;
    turns.set(element, turn);
    void renderMarkdown(source).then((html) => {
      if (turns.get(element) === turn) element.innerHTML = html;
    });
  }

  return {
    show(markdown, growing) {
      root.classList.toggle('growing', growing);
      root.classList.toggle('empty', markdown === '');
      const blocks = splitBlocks(markdown);
      for (const [index, source] of blocks.entries()) {
        const known = shown[index];
        if (known?.source === source) continue;
        const element = known?.element ?? root.appendChild(document.createElement('section'));
        shown[index] = { source, element };
        render(element, source);
      }
      for (const { element } of shown.splice(blocks.length)) element.remove();
    },
  };
}
