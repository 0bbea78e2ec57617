/*
 * A document in which any script that runs is noticed, whatever it was smuggled in with. Nothing can be loaded
 * into it; handlers of failed loads run all the same, since a refused load is a failed one.
 */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; form-action 'none'";
const WIRES = ['alert', 'prompt', 'confirm', 'print', 'open'] as const;

export interface Tripwire {
  readonly document: Document;
  readonly body: HTMLElement;
  /** What ran since the last call. */
  fired(): string[];
  /** Waits until everything inserted before had its chance to run. */
  settle(): Promise<void>;
  close(): void;
}

export async function createTripwire(): Promise<Tripwire> {
  const frame = document.createElement('iframe');
  // Whoever gets away leads to a host that does not exist, and not to a second copy of the page of the tests.
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frame.srcdoc = `<!doctype html><base href="https://example.test/"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><body></body>`;
  frame.style.width = '400px';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  const inner = frame.contentWindow! as Window & typeof globalThis;
  const { body } = frame.contentDocument!;
  const log: string[] = [];
  for (const name of WIRES) {
    Object.defineProperty(inner, name, {
      value: (value: unknown) => void log.push(`${name}(${String(value)})`),
    });
  }
  let marker = 0;

  return {
    document: frame.contentDocument!,
    body,
    fired: () => log.splice(0),
    async settle() {
      // Handlers of failed loads run in the order of insertion: when this one has, all before it have.
      const mark = `settled ${++marker}`;
      const last = frame.contentDocument!.createElement('img');
      last.setAttribute('onerror', `alert('${mark}')`);
      append(body, last);
      last.setAttribute('src', 'https://example.test/last.png');
      while (!log.includes(`alert(${mark})`)) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 20));
      log.splice(log.indexOf(`alert(${mark})`), 1);
      last.remove();
    },
    close: () => frame.remove(),
  };
}

/*
 * Markup of the corpus names itself `append` or `body`, so nothing is looked up on what it could reach.
 */
function append(parent: Node, child: Node): void {
  Node.prototype.appendChild.call(parent, child);
}

/** Puts markup into the document as views do, and once more from what the document made of it. */
export function insert(
  { document, body }: Tripwire,
  markup: string,
  times: 'once' | 'thrice' = 'thrice',
): void {
  const first = document.createElement('div');
  append(body, first);
  first.innerHTML = markup;
  if (times === 'once') return;
  const second = document.createElement('div');
  append(body, second);
  second.innerHTML = first.innerHTML;
  const template = document.createElement('template');
  template.innerHTML = markup;
  append(body, template.content.cloneNode(true));
}

/** Does what a user might: clicks every link that might run something, focuses what can be. */
export function poke({ body }: Tripwire): void {
  const find = (selector: string): NodeListOf<HTMLElement> =>
    Element.prototype.querySelectorAll.call(body, selector) as NodeListOf<HTMLElement>;
  for (const link of find('a')) {
    const target = link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? '';
    if (!/^\s*(?:#|[a-z\s\p{Cc}]*script\s*:|data:)/iu.test(target)) continue;
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  }
  for (const element of find('[autofocus], [tabindex], input, button, summary')) {
    element.focus?.();
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  }
}
