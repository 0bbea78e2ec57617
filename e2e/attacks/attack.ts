import type { AppView, AppViewOptions } from '@mcp-apps-bridge/host-bridge';

/*
 * An attack is data and three small functions. Each runs twice: against a set-up whose guard is off, which must show
 * the harm, and against the bridge, which must not. Servers and pages read the same files.
 */

export type Engine = 'chromium' | 'firefox' | 'webkit';

/** Addresses an attack can use. */
export interface Place {
  /** Of this run alone; whatever is sent out or grabbed carries it. */
  key: string;
  host: string;
  sandbox: string;
  /** The sandbox on another port of the host's own name: browsers that keep nothing for third parties do so here. */
  near: string;
  /** The attacker's own origin. */
  collector: string;
  /** Ports on which a bare TCP connection or a datagram is written down. */
  tcp: number;
  udp: number;
}

/** A request that reached the attacker's origin, or a tool that ran. */
export interface Hit {
  key: string;
  /** How it came, as named in the address, or `tool:` and the tool's name. */
  via: string;
}

/** What the host page was made to do, by whichever host runs in it. */
export interface Seen {
  conversation: unknown[];
  /** What the model would be given at the next turn. */
  context: unknown[];
  logs: unknown[];
  heights: number[];
  modes: string[];
  /** Estimated characters the host keeps of a stream. */
  kept: number;
}

/** One run of one attack. */
export interface Lab {
  readonly place: Place;
  readonly container: HTMLElement;
  /** What the attacker's code says it got. */
  readonly loot: string[];
  readonly seen: Seen;
  /** The last view of the bridge. */
  readonly view: AppView | undefined;
  /** The bridge, as an embedder uses it, with every hook in place and every consent given. */
  bridge(options?: Partial<AppViewOptions>): AppView;
  /** The app's document in a frame without sandbox and policy. */
  bare(): Promise<HTMLIFrameElement>;
  /** The app in a sandboxed frame of a host that does what it is told: by windows of this run, or by any. */
  naive(byAnybody?: boolean): Promise<HTMLIFrameElement>;
  /** The app's document. */
  html(): Promise<string>;
  /** Any other frame beside the view. */
  frame(attributes: Record<string, string>): HTMLIFrameElement;
  /** A call of the attacker's streaming tool, as `call` for `bridge`. */
  stream(args: Record<string, unknown>, raw?: boolean): NonNullable<AppViewOptions['call']>;
  /** The tool's chunks and result without any bridge, each handed over as the client got it. */
  rawStream(args: Record<string, unknown>, take: (message: unknown) => void): Promise<void>;
  /** Says that the attack is under way, where no app does. */
  launched(): void;
  hits(): Promise<readonly Hit[]>;
}

export interface Attack {
  /** Says what the attacker wants. Unique. */
  name: string;
  /** Body of the app; see `kit.ts` for what its scripts can use. */
  app?(place: Place): string;
  /** `_meta.ui` of the app's resource. */
  meta?(place: Place): Record<string, unknown>;
  /** Sets up without the guard. */
  control(lab: Lab): unknown;
  /** Sets up with the bridge. */
  guarded(lab: Lab): unknown;
  /** Whether the harm is done. */
  harm(lab: Lab): boolean | Promise<boolean>;
  /** Why the attack cannot be made in an engine, guarded or not. */
  cannot?: Partial<Record<Engine, string>>;
  /** Reaches beyond its own frames, so that nothing may run beside it. */
  alone?: boolean;
}

/** What is known and left open: tried, reported, no failure. */
export interface Residual {
  name: string;
  app(place: Place): string;
  /** Where a hit shows that something got out; none where nothing here can see it. */
  port?: 'tcp' | 'udp';
  /** Why it stays. */
  why: string;
}

export interface Row {
  attack: string;
  family: string;
  engine: Engine;
  control: 'worked' | 'n/a';
  guarded: 'blocked' | 'HARM' | 'residual' | 'not launched';
  note: string;
}

/** An address at the attacker's origin. */
export const out = ({ collector, key }: Place, via: string, file = 'a.gif'): string =>
  `${collector}/${key}/${via}/${file}`;

/** Markup whose being there is the attack. */
export const markup = (html: string): string => `${html}<script>launched()</script>`;

/** A script that is the attack. What it throws is the guard's doing as a rule, and no concern of its own. */
export const script = (code: string, before = ''): string =>
  `${before}<script>(async () => { try { ${code} } catch (error) { lastError = error; } finally { launched(); } })()</script>`;

export const wentOut = async (lab: Lab): Promise<boolean> => (await lab.hits()).length > 0;

export const ranTool =
  (name: string) =>
  async (lab: Lab): Promise<boolean> =>
    (await lab.hits()).some(({ via }) => via === `tool:${name}`);

/** Values nobody but their owner may see. */
export const SECRET = { host: 'secret-of-the-host', proxy: 'secret-of-the-proxy', call: 'secret-of-a-call' };

export const looted =
  (secret: string) =>
  ({ loot }: Lab): boolean =>
    loot.some((text) => text.includes(secret));
