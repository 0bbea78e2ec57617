/** Baked into the inner document by the proxy. */
export interface PortShimConfig {
  /** Origin of the proxy page. */
  origin: string;
  /** Proves that the port comes from the document the proxy wrote. */
  nonce: string;
}

/**
 * Runs as the first script of the inner document. It makes the channel itself and hands one end up, so the
 * other end lives and dies with this very document: whatever the frame navigates to later hears nothing.
 * Messages that arrive are dispatched as if the parent had posted them, which is what an unmodified view
 * listens for.
 *
 * Self-contained: the proxy page carries its text (decision 005).
 */
export function installPortShim(config: PortShimConfig): void {
  const { parent } = window;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'ping') port1.postMessage('pong');
    else {
      const event = new MessageEvent('message', { data, origin: config.origin });
      /* Firefox takes no window of another process for `source` in the constructor, and the parent is one. */
      Object.defineProperty(event, 'source', { value: parent });
      window.dispatchEvent(event);
    }
  };
  /* Before anything of the next document runs; the proxy's own `load` of it comes much later. */
  window.addEventListener('pagehide', () => port1.postMessage('bye'));
  parent.postMessage({ nonce: config.nonce }, config.origin, [port2]);
  document.currentScript?.remove();
}
