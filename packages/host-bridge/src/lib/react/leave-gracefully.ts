import type { AppView } from '../frame/app-view-types.ts';

/** Moves a node without unloading the frames in it; new in browsers. */
type MoveBefore = (node: Node, child: Node | null) => void;

/**
 * Closes a view whose place in the page is about to go. React removes the place at once, and with it a frame
 * that was just asked to finish (H19); where the browser can move a living frame, it waits out of sight instead.
 */
export function leaveGracefully(container: HTMLElement, view: AppView): void {
  const { body } = container.ownerDocument;
  const { moveBefore } = body as { moveBefore?: MoveBefore };
  if (moveBefore && container.isConnected && view.status === 'ready') {
    container.inert = true;
    container.style.cssText = `position: fixed; visibility: hidden; pointer-events: none; width: ${container.clientWidth}px`;
    moveBefore.call(body, container, null);
  }
  void view.close().finally(() => container.remove());
}
