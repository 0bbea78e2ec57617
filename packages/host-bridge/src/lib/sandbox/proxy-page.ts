import { buildCsp } from './csp.ts';
import { installPortShim } from './port-shim.ts';
import { runSandboxProxy } from './proxy-script.ts';
import type { ProxyConfig } from './proxy-script.ts';

/**
 * The proxy as one HTML document without outside references. The functions travel as their own text, which
 * holds as long as they use nothing but their arguments and browser globals (decision 005).
 */
export function renderProxyPage(config: ProxyConfig): string {
  const parts = `{ buildCsp: ${asExpression(buildCsp)}, installPortShim: ${asExpression(installPortShim)} }`;
  const script =
    `(() => { const __name = (f) => f;\n` +
    `(${asExpression(runSandboxProxy)})(${inlineJson(config)}, ${parts}); })();`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>App</title>
<style>
html, body { height: 100%; margin: 0; background: transparent; font: 14px system-ui, sans-serif; }
body { overflow: hidden; }
iframe { display: block; width: 100%; height: 100%; border: 0; background: transparent; }
</style>
</head>
<body>
<script>${script}</script>
</body>
</html>
`;
}

/** The text of a function, unable to end the script element it stands in. */
function asExpression(fn: (...args: never[]) => unknown): string {
  return fn.toString().replaceAll('</', '<\\/');
}

/** JSON that can stand inside a script element. */
function inlineJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
