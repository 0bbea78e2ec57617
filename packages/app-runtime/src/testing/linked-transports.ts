/* Two in-process transports, each delivering to the other in a task of its own, as windows do. */

interface LinkedTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

export function createLinkedTransports(): [LinkedTransport, LinkedTransport] {
  const host = createEnd(() => view);
  const view = createEnd(() => host);
  return [host, view];
}

function createEnd(peer: () => LinkedTransport): LinkedTransport {
  let closed = false;
  return {
    start: () => Promise.resolve(),
    send(message) {
      const copy = structuredClone(message);
      setTimeout(() => {
        if (!closed) peer().onmessage?.(copy as never);
      });
      return Promise.resolve();
    },
    close() {
      closed = true;
      this.onclose?.();
      return Promise.resolve();
    },
  };
}
