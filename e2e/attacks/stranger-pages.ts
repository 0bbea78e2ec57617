/** Pages of the attacker's origin, by path. `key` is that of the run. */
export const STRANGER_PAGES: Record<string, (query: URLSearchParams) => string> = {
  /** Where a view navigates to: it sends home whatever it is posted, and speaks as the view. */
  '/listener': (query) => `<!doctype html><script>
    const key = ${text(query.get('key'))};
    addEventListener('message', ({ data }) => {
      if (JSON.stringify(data ?? null).includes('"method":"ui/notifications/tool-')) fetch('/' + key + '/heard/x.txt');
    });
    const call = { jsonrpc: '2.0', id: 'away', method: 'tools/call', params: { name: 'tally', arguments: { key } } };
    setInterval(() => parent.postMessage(call, '*'), 50);
  </script>`,
  /** Nested in an app: speaks to every frame above it as if it were the view. */
  '/nested': (query) => `<!doctype html><script>
    const key = ${text(query.get('key'))};
    const call = { jsonrpc: '2.0', id: 'nested', method: 'tools/call', params: { name: 'tally', arguments: { key } } };
    setInterval(() => { for (let up = parent; ; up = up.parent) { up.postMessage(call, '*'); if (up === up.parent) break; } }, 50);
  </script>`,
  /** Frames an address and says whether its script ran: the address does so itself. */
  '/framer': (
    query,
  ) => `<!doctype html><iframe sandbox="allow-scripts allow-same-origin" src="${attribute(query.get('src'))}"></iframe>
  <script>
    const html = '<script>fetch(' + JSON.stringify(${text(query.get('out'))}) + ')<' + '/script>';
    addEventListener('message', ({ source, data }) => {
      if (String(data?.method).endsWith('sandbox-proxy-ready')) source.postMessage(
        { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html } }, '*');
    });
    const frame = document.querySelector('iframe');
    setInterval(() => frame.contentWindow.postMessage(
      { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html } }, '*'), 50);
  </script>`,
  /** Opens a host page and speaks to it as if it were its view. */
  '/opener': (query) => `<!doctype html><script>
    const key = ${text(query.get('key'))};
    const call = { jsonrpc: '2.0', id: 'opener', method: 'tools/call', params: { name: 'tally', arguments: { key } } };
    const opened = open(${text(query.get('src'))});
    if (opened) {
      parent.postMessage({ jsonrpc: '2.0', method: 'attack/launched', params: { key } }, '*');
      setInterval(() => opened.postMessage(call, '*'), 50);
      addEventListener('pagehide', () => opened.close());
    }
  </script>`,
};

function text(value: string | null): string {
  return JSON.stringify(value ?? '').replaceAll('<', '\\u003c');
}

function attribute(value: string | null): string {
  return (value ?? '').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
