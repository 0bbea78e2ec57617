export const USAGE = `Checks SEP-2998 partial tool results on the raw protocol.

  mcp-partial-conformance server (--url URL | --stdio "COMMAND") [options]
  mcp-partial-conformance client --command "COMMAND" [options]

Server: calls one tool about fifteen times, so name one that only reads.
  --tool NAME           default: the first with annotations.streamingHint
  --args JSON           its arguments, default {}
  --expect FILE         a CallToolResult as JSON: what the tool must end with (S7)
  --cancel-tool NAME    a tool that runs until cancelled, default: --tool
  --cancel-args JSON
  --task                run --tool as a task as well (S15), or
  --task-tool NAME      this one
  --task-args JSON
  --quiet-ms N          how long is listened for what must not come, default 500

Client: runs the command with a plan in the environment, see the README.
  --transport http|stdio  default http
  --flood N               chunks in a flood, default 5000
  --one-run               all scenarios in one run of the command

Both:
  --era modern|legacy   2026-07-28 (default) or 2025-11-25
  --timeout-ms N        for one response (default 10000), or one run of the client (30000)
  --json                the report as JSON
  --strict              warnings fail too

Exit code: 0 nothing failed, 1 something did, 2 the check could not be made.
`;
