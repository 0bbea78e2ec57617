/** What the web server knows and the page does not: where everything listens. */
export interface DemoConfig {
  mcp: { report: string; runner: string };
  /** URL of the sandbox proxy page. */
  sandbox: string;
}

export async function loadConfig(): Promise<DemoConfig> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`The demo's configuration is not available (${response.status}).`);
  return (await response.json()) as DemoConfig;
}

/** The switches in the page's address. */
export interface PageOptions {
  /** Run at once. */
  prompt: string | undefined;
  /** `?partials=off`: the same page without partial results, to compare end states. */
  partials: boolean;
}

export function readPageOptions(search: string): PageOptions {
  const query = new URLSearchParams(search);
  const prompt = query.get('prompt')?.trim();
  return { prompt: prompt === '' ? undefined : prompt, partials: query.get('partials') !== 'off' };
}
