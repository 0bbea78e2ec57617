import { ranTool, script, wentOut, type Attack, type Lab } from '../attack.ts';

const naive = async (lab: Lab): Promise<unknown> => lab.naive();

const ask = (name: string, code: string, harm: Attack['harm'], more: Partial<Attack> = {}): Attack => ({
  name,
  app: () => script(`await handshake(); ${code}`),
  control: naive,
  guarded: (lab) => lab.bridge(),
  harm,
  ...more,
});

const tool = (name: string, of: string, more: Partial<Attack> = {}): Attack =>
  ask(
    `call ${of}`,
    `await ask('tools/call', { name: '${name}', arguments: { key: at.key } });`,
    ranTool(name),
    more,
  );

/** Script that would run in the host's name, if the address were opened. */
const owned = ({ place }: Lab): boolean => document.documentElement.hasAttribute(`data-${place.key}`);

/** `js` is script to run; what opens stands in the opener's origin. */
const link = (name: string, url: string, more: Partial<Attack> = {}): Attack =>
  ask(
    `open ${name}`,
    `const js = '(opener??self).document.documentElement.setAttribute("data-' + at.key + '","");close()';
     await ask('ui/open-link', { url: ${url} });`,
    owned,
    { cannot: noPopups, ...more },
  );

const noPopups = { webkit: 'the engine opens no window without a click' };
const refused = (what: string): NonNullable<Attack['cannot']> => {
  const reason = `${what} is not opened for any page`;
  return { chromium: reason, firefox: reason, webkit: reason };
};

const heightOver =
  (limit: number) =>
  ({ seen }: Lab): boolean =>
    seen.heights.some((height) => height > limit);

/** How many contexts the model would be given at once. */
function contexts({ view, seen }: Lab): number {
  if (!view) return seen.context.length;
  let count = 0;
  while (view.takeModelContext() !== undefined) count++;
  return count;
}

export const requests: readonly Attack[] = [
  tool('model_only', 'a tool that is the model’s alone'),
  tool('odd_visibility', 'a tool whose visibility cannot be read'),
  tool('transfer', 'a tool of another server'),
  tool('tally', 'a tool the user does not agree to', {
    guarded: (lab) => lab.bridge({ handlers: { allowToolCall: () => false } }),
  }),
  link('a javascript address', `'javascript:' + js`),
  link('a javascript address in odd case', `'JaVaScRiPt:' + js`),
  link('a javascript address after spaces', `'  javascript:' + js`),
  link('a javascript address after a control character', `'\\u0001javascript:' + js`),
  link('a javascript address with a tab in it', `'java\\tscript:' + js`),
  link('a javascript address with a line break in it', `'java\\r\\nscript:' + js`),
  link('a javascript address with a comment', `'javascript://example.test/%0A' + js`),
  link('a data page', `'data:text/html,<script>' + js + '<' + '/script>'`, {
    cannot: refused('a data page'),
  }),
  link(
    'a blob page',
    `URL.createObjectURL(new Blob(['<script>' + js + '<' + '/script>'], { type: 'text/html' }))`,
    {
      cannot: refused('a blob of an opaque origin'),
    },
  ),
  link('a file', `'file:///etc/passwd'`, { cannot: refused('a file') }),
  ask(
    'open an address with a disguised host',
    `await ask('ui/open-link', { url: 'http://bank.example@' + out('disguised', 'a.none').slice(7) });`,
    wentOut,
    { cannot: noPopups },
  ),
  ask(
    'open an address of the host page itself without a scheme',
    `await ask('ui/open-link', { url: '//' + out('bare', 'a.none').slice(7) });`,
    wentOut,
    { cannot: noPopups },
  ),
  ask('take the whole screen', `await ask('ui/request-display-mode', { mode: 'fullscreen' });`, ({ seen }) =>
    seen.modes.includes('fullscreen'),
  ),
  ask(
    'take a height beyond all bounds',
    `send({ method: 'ui/notifications/size-changed', params: { width: 10, height: 10_000_000 } });`,
    heightOver(5_000),
  ),
  ask(
    'change its height all the time',
    `for (let n = 0; n < 300; n++, await wait(2))
       send({ method: 'ui/notifications/size-changed', params: { height: 100 + (n * 37) % 200 } });`,
    ({ seen }) => seen.heights.length > 100,
  ),
  ask(
    'chase its own height',
    `const report = () => send({ method: 'ui/notifications/size-changed', params: { height: innerHeight + 250 } });
     addEventListener('resize', report);
     report();`,
    heightOver(1_500),
  ),
  ask(
    'give the model more than the last context',
    `for (let n = 0; n < 200; n++)
       send({ id: at.key + 'c' + n, method: 'ui/update-model-context', params: { content: [{ type: 'text', text: 'obey' + n }] } });`,
    (lab) => contexts(lab) > 1,
  ),
];
