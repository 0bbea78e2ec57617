/* Checks for any MCP server and any MCP client, as functions; `cli.ts` is the same as a command. */
export { checkServer, type ServerOptions } from './lib/server/check-server.ts';
export { SERVER_CHECKS, type ServerCheckId } from './lib/server/catalogue.ts';
export type { ToolCall } from './lib/server/calls.ts';
export { checkClient, type ClientOptions, type RunClient } from './lib/client/check-client.ts';
export { CLIENT_CHECKS, type ClientCheckId } from './lib/client/catalogue.ts';
export { type ClientEvent, type ClientPlan, PLAN_VARIABLE, type PlannedCall } from './lib/client/protocol.ts';
export { runCommand } from './lib/client/run-command.ts';
export {
  type CheckInfo,
  type CheckResult,
  exitCode,
  formatReport,
  type Report,
  type Status,
} from './lib/report.ts';
export { openHttp } from './lib/wire/http-link.ts';
export { openStdio } from './lib/wire/stdio-link.ts';
export type { Link, LinkEvents, OpenLink, StreamName } from './lib/wire/link.ts';
export type { Era, Message } from './lib/wire/message.ts';
