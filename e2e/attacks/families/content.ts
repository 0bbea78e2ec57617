import { looted, script, type Attack, type Lab } from '../attack.ts';
import { PAYLOADS } from '../streams.ts';

/** A view that trusts its host's word that what it is sent is clean: it puts HTML into its page, twice over. */
const TRUSTING = script(`
  window.ran = () => say('ran');
  const show = (html) => {
    document.body.append(document.createRange().createContextualFragment(html));
    const twice = document.createElement('div');
    twice.innerHTML = html;
    document.body.appendChild(document.createElement('div')).innerHTML = twice.innerHTML;
  };
  addEventListener('message', ({ source, data }) => {
    if (data === 'ran') ran();
    if (source !== parent) return;
    for (const block of data?.params?.content ?? []) {
      if (block.type === 'resource') show(block.resource.text ?? '');
      if (block.type === 'resource_link') {
        const link = document.body.appendChild(document.createElement('a'));
        link.href = block.uri; link.textContent = 'x';
      }
    }
    if (!String(data?.method).endsWith('tool-result')) return;
    setTimeout(() => {
      for (const one of document.querySelectorAll('a, button')) one.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      launched();
    }, 100);
  });
  await handshake();`).replace('finally { launched(); }', '');

/**
 * Shown in a frame that shares the sandbox's origin, with and without: an opaque one runs no javascript address in
 * some engines, and it is the sanitizer that is attacked here. The call starts when the view is there, since a
 * result makes chunks void that are still on their way.
 */
async function show(lab: Lab, args: Record<string, unknown>, raw: boolean): Promise<void> {
  const url = `${lab.place.near}/naive?inner=allow-scripts+allow-same-origin`;
  const view = lab.bridge({ sandbox: { url } });
  while (view.status === 'loading' || view.status === 'connecting')
    await new Promise((resolve) => setTimeout(resolve, 10));
  view.show(lab.stream(args, raw));
}

const send = (name: string, args: Record<string, unknown>): Attack[] =>
  ['chunk', 'result'].map((way) => ({
    name: `${name}, in a ${way}`,
    app: () => TRUSTING,
    control: async (lab) => show(lab, { ...args, way }, true),
    guarded: async (lab) => show(lab, { ...args, way }, false),
    harm: looted('ran'),
  }));

const LINKS: Record<string, string> = {
  'a resource link to javascript': 'javascript:ran()',
  'a resource link to javascript in odd case': 'JavaScript:ran()',
  'a resource link to javascript with a tab in it': 'java\tscript:ran()',
};

export const content: readonly Attack[] = [
  ...Object.keys(PAYLOADS).flatMap((payload) => send(payload, { kind: 'html', payload })),
  ...Object.entries(LINKS).flatMap(([name, uri]) => send(name, { kind: 'link', uri })),
];
