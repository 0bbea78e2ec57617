import { basicCatalog, Context } from '@a2ui/lit/v0_9';
import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import { assembleResult } from '@mcp-apps-bridge/partial-results/stream';
import type { Consumer, Snapshot, ViewStatus } from '../types.ts';
import { secureCatalog, type A2uiCatalog } from './catalog.ts';
import { createA2uiConsumer, type A2uiFlowItem, type A2uiState } from './consumer.ts';
import { defineElements } from './elements.ts';
import { createFlowView } from './flow-view.ts';
import type { A2uiAction, A2uiModel } from './model.ts';
import { isOpenableUrl, OPEN_URL_ACTION } from './rewrite.ts';
import { adoptStyles, VIEW_CSS } from './styles.ts';
import { VISIBLE_PROBLEMS, type A2uiLimits, type A2uiProblem, type OnProblem } from './types.ts';

/** Markdown to sanitized HTML, as `renderMarkdown` of `@a2ui/markdown-it`. */
export type MarkdownRenderer = (markdown: string, options?: never) => Promise<string>;

export interface MountA2uiOptions {
  /** Catalogs to draw from, the default first. Default: the basic catalog of `@a2ui/lit`. */
  catalogs?: readonly A2uiCatalog[];
  /** Further component properties that hold an address to load, by component type. */
  urlProperties?: Readonly<Record<string, readonly string[]>>;
  /** A user's action; send it to a server tool. */
  onAction?(action: A2uiAction): void;
  /** A click on a link or an `openUrl` button, http and https only. Without it such clicks do nothing. */
  openLink?(url: string): void;
  /** Renders Markdown in `Text` components. It must sanitize. Without it the source is shown as text. */
  markdown?: MarkdownRenderer;
  /**
   * Text blocks beside the surfaces: `fallback` (the default) shows them while there is no surface,
   * since many tools send the same in words for hosts without a UI; `always` in their place; `never`.
   */
  text?: 'fallback' | 'always' | 'never';
  onProblem?: OnProblem;
  limits?: Partial<A2uiLimits>;
}

export interface A2uiView {
  /** Pass to `createAppRuntime` or `attachToApp`. */
  readonly consumer: Consumer<A2uiState>;
  /** Pass as `onChange`. */
  update(snapshot: Snapshot<A2uiState>): void;
  /** Applies the A2UI messages in the result of an action to what is shown; they win over typed values. */
  answer(result: ToolResult): void;
  /** Takes everything off the page and stops listening. */
  close(): void;
}

/**
 * Draws a stream of A2UI into an element: surfaces as they grow, then the end without a jump.
 *
 * A stated limit: the renderer tells the items of a list by their index. An item put in at the front
 * moves focus and what is expanded to its neighbour (field case 81); append where that matters.
 */
export function mountA2ui(element: HTMLElement, options: MountA2uiOptions = {}): A2uiView {
  defineElements();
  adoptStyles(document, VIEW_CSS);
  const catalogs = (options.catalogs ?? [basicCatalog as A2uiCatalog]).map((catalog) =>
    secureCatalog(catalog, options.urlProperties),
  );
  const consumer = createA2uiConsumer({
    catalogs,
    ...(options.onProblem && { onProblem: options.onProblem }),
    ...(options.limits && { limits: options.limits }),
  });

  const box = element.appendChild(document.createElement('div'));
  box.className = 'mcp-apps-a2ui';
  const notice = createMessage('status', 'mcp-apps-a2ui-notice');
  const alert = createMessage('alert', 'mcp-apps-a2ui-error');
  box.append(notice, alert);

  const view = createFlowView(box);

  /** What is on the page. */
  let model: A2uiModel | undefined;
  let flow: readonly A2uiFlowItem[] = [];
  /** What the runtime last came with; may be a result that came to the same as what is on the page. */
  let offered: A2uiState | undefined;
  let stopModel: () => void = () => undefined;
  let closed = false;

  box.addEventListener('context-request', provideMarkdown);
  box.addEventListener('click', followLink);

  /** The renderer asks for its Markdown function by the context protocol. */
  function provideMarkdown(event: Event): void {
    const request = event as Event & { context?: unknown; callback?(value: unknown): void };
    if (request.context !== Context.markdown || !options.markdown) return;
    event.stopPropagation();
    request.callback?.(options.markdown);
  }

  /** A link followed in place would replace the whole view. */
  function followLink(event: MouseEvent): void {
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    if (!link) return;
    event.preventDefault();
    open(link.href);
  }

  function open(url: unknown): void {
    if (isOpenableUrl(url)) options.openLink?.(url);
  }

  function act(action: A2uiAction): void {
    if (action.name === OPEN_URL_ACTION) open(action.context['url']);
    else options.onAction?.(action);
  }

  function show(next: A2uiModel): void {
    if (model) next.adopt(model);
    stopModel();
    model = next;
    const stops = [next.onAction(act), next.onRootChange((surfaceId) => view.redraw(surfaceId))];
    stopModel = () => stops.forEach((stop) => stop());
  }

  /**
   * The result's surfaces take over at the end, unless they came to the same as what is on the page:
   * then that stays, with focus, scroll and what was typed. A replay keeps the old until it has some.
   */
  function takesOver({ state, status }: Snapshot<A2uiState>): boolean {
    if (!model) return true;
    if (state.model === model) return false;
    if (status === 'complete') return state.model !== offered?.model && !model.same(state.model);
    return state.model.surfaces.size > 0 || !isBusy(status);
  }

  function update(snapshot: Snapshot<A2uiState>): void {
    if (closed) return;
    const { state, status, error, incomplete } = snapshot;
    const changed = takesOver(snapshot);
    if (changed) show(state.model);
    if (changed || (state.flow !== offered?.flow && (state.model === model || status === 'complete'))) {
      flow = state.flow;
    }
    offered = state;
    render(isBusy(status));
    view.setInert(incomplete);
    box.setAttribute('aria-busy', String(isBusy(status)));
    box.toggleAttribute('data-incomplete', incomplete);
    setText(notice, noticeOf(state.problems));
    setText(alert, error?.text ?? '');
  }

  function render(busy: boolean): void {
    if (model) view.render(visible(flow, options.text ?? 'fallback'), model, busy);
  }

  return {
    consumer,
    update,
    answer(result) {
      if (closed || !model) return;
      const current = model;
      for (const { records } of assembleResult(result, { onEvent: () => undefined })) {
        records?.forEach((record) => current.feedAnswer(record));
      }
      const ids = new Set(flow.map((item) => (item.kind === 'surface' ? item.surfaceId : undefined)));
      const added = [...current.surfaces.keys()].filter((id) => !ids.has(id));
      flow = [
        ...flow.filter((item) => item.kind === 'text' || current.surfaces.has(item.surfaceId)),
        ...added.map((surfaceId): A2uiFlowItem => ({ kind: 'surface', surfaceId })),
      ];
      render(false);
    },
    close() {
      closed = true;
      stopModel();
      box.remove();
    },
  };
}

function visible(flow: readonly A2uiFlowItem[], text: 'fallback' | 'always' | 'never'): A2uiFlowItem[] {
  if (text === 'always') return [...flow];
  const surfaces = flow.filter((item) => item.kind === 'surface');
  return text === 'never' || surfaces.length > 0 ? surfaces : [...flow];
}

function isBusy(status: ViewStatus): boolean {
  return status === 'waiting' || status === 'streaming';
}

/** Present from the start: a live region that appears together with its text is not announced. */
function createMessage(role: 'status' | 'alert', className: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.setAttribute('role', role);
  paragraph.className = className;
  paragraph.hidden = true;
  return paragraph;
}

function setText(element: HTMLElement, text: string): void {
  element.hidden = text === '';
  if (element.textContent !== text) element.textContent = text;
}

/** One line for all that keeps part of the page from showing. */
function noticeOf(problems: readonly A2uiProblem[]): string {
  const texts = problems.filter(({ code }) => VISIBLE_PROBLEMS.has(code)).map(({ message }) => message);
  return texts.length === 0
    ? ''
    : `Part of this view could not be shown: ${[...new Set(texts)].slice(0, 3).join('; ')}.`;
}
