/** A tool with a view, of a published package that is run as it is. */
export interface App {
  /** The package as `e2e/package.json` names it, and the address of the test page: `/?app=<name>`. */
  package: string;
  /** Which release of `@modelcontextprotocol/ext-apps` its view is built with: it is released together with it. */
  extApps: '1.7.5' | '2.0.3';
  tool: string;
}

const tools = {
  'server-basic-react': 'get-time',
  'server-basic-vanillajs': 'get-time',
  'server-budget-allocator': 'get-budget-data',
  'server-debug': 'debug-tool',
};

/** Each package twice: built with the current generation of the SDK and with the one before. */
export const PACKAGES: Readonly<Record<string, readonly App[]>> = Object.fromEntries(
  Object.entries(tools).map(([name, tool]) => [
    name,
    [
      { package: `@modelcontextprotocol/${name}`, extApps: '2.0.3', tool },
      { package: `${name}-v1`, extApps: '1.7.5', tool },
    ],
  ]),
);

export const APPS: readonly App[] = Object.values(PACKAGES).flat();
