/* The least a proxy can do: between host and view, both ways, by window messages. */
import { HTML_METHOD } from '../shared/protocol.ts';

let inner: HTMLIFrameElement | undefined;

window.addEventListener('message', ({ source, data }) => {
  if (source === parent) {
    const { method, params } = data as { method?: string; params?: { html?: string } };
    if (method !== HTML_METHOD) return inner?.contentWindow?.postMessage(data, '*');
    if (inner) return;
    inner = document.createElement('iframe');
    inner.setAttribute('sandbox', 'allow-scripts');
    inner.style.cssText = 'width:100%;height:400px;border:0';
    inner.srcdoc = params?.html ?? '';
    document.body.append(inner);
  } else if (source === inner?.contentWindow) parent.postMessage(data, '*');
});
