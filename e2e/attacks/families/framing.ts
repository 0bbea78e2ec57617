import { type Attack, type Lab } from '../attack.ts';

/** The attacker's page with an address in a frame. It counts as launched once that page has loaded. */
function framed(lab: Lab, address: string): void {
  const { collector, key } = lab.place;
  const out = encodeURIComponent(`${collector}/${key}/driven/a.txt`);
  const frame = lab.frame({ src: `${collector}/framer?src=${encodeURIComponent(address)}&out=${out}` });
  frame.addEventListener('load', () => lab.launched());
}

const host = (origin: string): string => `host=${encodeURIComponent(origin)}`;
const came =
  (via: string) =>
  async (lab: Lab): Promise<boolean> =>
    (await lab.hits()).some((hit) => hit.via === via);

export const framing: readonly Attack[] = [
  {
    name: 'show the sandbox in a foreign page',
    control: (lab) =>
      framed(lab, `${lab.place.sandbox}/?${host(lab.place.host)}&ran=${lab.place.key}&unframed`),
    guarded: (lab) => framed(lab, `${lab.place.sandbox}/?${host(lab.place.host)}&ran=${lab.place.key}`),
    harm: came('ran'),
  },
  {
    name: 'show the sandbox in a foreign page by a declared domain',
    control: (lab) =>
      framed(lab, `${lab.place.sandbox}/?${host(lab.place.host)}&ran=${lab.place.key}&unframed`),
    guarded(lab) {
      const declared = JSON.stringify({ connectDomains: [`https://a.example; frame-ancestors *`] });
      const query = `${host(lab.place.host)}&ran=${lab.place.key}&csp=${encodeURIComponent(declared)}`;
      framed(lab, `${lab.place.sandbox}/?${query}`);
    },
    harm: came('ran'),
  },
  {
    name: 'drive the sandbox from a foreign page',
    control: (lab) => framed(lab, `${lab.place.sandbox}/naive`),
    guarded: (lab) => framed(lab, `${lab.place.sandbox}/?${host(lab.place.host)}`),
    harm: came('driven'),
  },
  {
    name: 'drive the sandbox from a foreign page that names itself as host',
    control: (lab) => framed(lab, `${lab.place.sandbox}/naive`),
    guarded: (lab) => framed(lab, `${lab.place.sandbox}/?${host(lab.place.collector)}`),
    harm: came('driven'),
  },
  {
    name: 'drive a sandbox that is served without its header',
    control: (lab) => framed(lab, `${lab.place.sandbox}/naive`),
    guarded: (lab) => framed(lab, `${lab.place.sandbox}/static?${host(lab.place.host)}`),
    harm: came('driven'),
  },
];
