import type { Browser, CDPSession } from 'puppeteer-core';

/** Self time by function, of one page or frame. */
export interface Profile {
  /** Its address; an inner frame is `about:srcdoc`. */
  target: string;
  /** Milliseconds sampled, idle time left out. */
  busyMs: number;
  /** Largest first. */
  functions: { name: string; file: string; ms: number }[];
}

interface Node {
  id: number;
  callFrame: { functionName: string; scriptId: string; url: string; lineNumber: number };
}

const NOT_WORK = new Set(['(idle)', '(root)']);

/** Samples every page and frame of a browser, except those of others, while `run` runs. */
export async function profileTargets(browser: Browser, run: () => Promise<void>): Promise<Profile[]> {
  const targets = browser.targets().filter((target) => ['page', 'iframe', 'other'].includes(target.type()));
  const sessions: { url: string; session: CDPSession }[] = [];
  for (const target of targets) {
    try {
      const session = await target.createCDPSession();
      await session.send('Debugger.enable');
      await session.send('Profiler.enable');
      await session.send('Profiler.setSamplingInterval', { interval: 200 });
      await session.send('Profiler.start');
      sessions.push({ url: target.url(), session });
    } catch {
      // Not everything that is a target runs scripts.
    }
  }
  await run();
  const profiles: Profile[] = [];
  for (const { url, session } of sessions) profiles.push(await readProfile(url, session));
  return profiles;
}

async function readProfile(target: string, session: CDPSession): Promise<Profile> {
  const { profile } = await session.send('Profiler.stop');
  const nodes = new Map((profile.nodes as Node[]).map((node) => [node.id, node]));
  const times = new Map<string, { name: string; file: string; ms: number }>();
  const sources = new Map<string, string[]>();
  for (const [i, id] of (profile.samples ?? []).entries()) {
    const frame = nodes.get(id)?.callFrame;
    if (!frame || NOT_WORK.has(frame.functionName)) continue;
    const file = await fileOf(frame, session, sources);
    const name = frame.functionName || '(anonymous)';
    const entry = times.get(`${file} ${name}`) ?? { name, file, ms: 0 };
    entry.ms += (profile.timeDeltas?.[i] ?? 0) / 1_000;
    times.set(`${file} ${name}`, entry);
  }
  const functions = [...times.values()].sort((a, b) => b.ms - a.ms);
  return { target, busyMs: functions.reduce((sum, { ms }) => sum + ms, 0), functions };
}

/** The bundler leaves the name of each file above its code. */
async function fileOf(
  { scriptId, lineNumber }: Node['callFrame'],
  session: CDPSession,
  sources: Map<string, string[]>,
): Promise<string> {
  if (scriptId === '0') return '';
  let lines = sources.get(scriptId);
  if (!lines) {
    const { scriptSource } = await session.send('Debugger.getScriptSource', { scriptId });
    lines = scriptSource.split('\n');
    sources.set(scriptId, lines);
  }
  for (let line = Math.min(lineNumber, lines.length - 1); line >= 0; line--) {
    const region = /^\s*\/\/ (\S+\.[cm]?[jt]sx?)$/.exec(lines[line]!);
    if (region) return region[1]!.replace(/^.*node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?/, '');
  }
  return '';
}
