/*
 * Pages of the sandbox's origin as they are met in the wild: the same protocol, without the guards. `?inner=` names
 * what is left of the inner frame's sandbox; empty for none.
 */

/** Relays whatever comes to everybody but its sender, `sandbox-*` included, and posts to `*`. */
export const NAIVE_PROXY = `<!doctype html><body><script>
  const prefix = 'ui/notifications/sandbox-';
  let frame;
  addEventListener('message', ({ source, data }) => {
    if (data?.method === prefix + 'resource-ready' && !frame) {
      frame = document.createElement('iframe');
      const inner = new URLSearchParams(location.search).get('inner') ?? 'allow-scripts';
      if (inner !== '') frame.setAttribute('sandbox', data.params.sandbox ?? inner);
      frame.srcdoc = data.params.html;
      document.body.append(frame);
      return;
    }
    if (source !== parent) parent.postMessage(data, '*');
    if (frame && source !== frame.contentWindow) frame.contentWindow.postMessage(data, '*');
  });
  parent.postMessage({ jsonrpc: '2.0', method: prefix + 'proxy-ready', params: {} }, '*');
</script>`;

/** Leaves a secret wherever an origin can keep one, and says so. */
export const plantPage = (secret: string): string => `<!doctype html><script>
  const secret = ${JSON.stringify(secret)};
  document.cookie = 'planted=' + secret;
  localStorage.setItem('secret', secret);
  const opening = indexedDB.open('secrets', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('secrets');
  opening.onsuccess = () => {
    const change = opening.result.transaction('secrets', 'readwrite');
    change.objectStore('secrets').put(secret, 'secret');
    change.oncomplete = () => { opening.result.close(); parent.postMessage('planted', '*'); };
  };
</script>`;
