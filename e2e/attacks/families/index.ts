import type { Attack } from '../attack.ts';
import { content } from './content.ts';
import { csp } from './csp.ts';
import { exfiltrate } from './exfiltrate.ts';
import { flood } from './flood.ts';
import { framing } from './framing.ts';
import { navigate } from './navigate.ts';
import { pollute } from './pollute.ts';
import { reach } from './reach.ts';
import { requests } from './requests.ts';
import { RESIDUALS } from './residual.ts';
import { spoof } from './spoof.ts';

export { RESIDUALS };

export interface Family {
  name: string;
  /** What an attacker of this family is after. */
  about: string;
  attacks: readonly Attack[];
}

export const FAMILIES: readonly Family[] = [
  {
    name: 'reach',
    about: 'Read or change the host page, the proxy page and what their origins keep',
    attacks: reach,
  },
  {
    name: 'navigate',
    about: 'Leave the frame: top, parent, popups, and listening from where it went',
    attacks: navigate,
  },
  { name: 'spoof', about: 'Speak as another frame, or hear what is meant for one', attacks: spoof },
  { name: 'requests', about: 'Ask the host for what an app may not have', attacks: requests },
  { name: 'exfiltrate', about: 'Send something to an origin that was not declared', attacks: exfiltrate },
  { name: 'csp', about: 'Widen the policy by what is declared', attacks: csp },
  { name: 'content', about: 'Run script in an honest view by a hostile server’s results', attacks: content },
  { name: 'pollute', about: 'Reach a prototype by the keys of a message', attacks: pollute },
  { name: 'flood', about: 'Take the host page’s time and memory', attacks: flood },
  { name: 'framing', about: 'Frame the sandbox in a foreign page', attacks: framing },
];

/** Everything an app can be made for. */
export const APPS: readonly Pick<Attack, 'name' | 'app' | 'meta'>[] = [
  ...FAMILIES.flatMap(({ attacks }) => attacks),
  ...RESIDUALS,
];
