export { attachOnce, useToolOutput } from './lib/react/use-tool-output.ts';
