/* A client in a process of its own: calls a tool that becomes a task, follows it, and is killed by its parent. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { callTool, followTask, PartialResultsError } from '@mcp-apps-bridge/partial-results/client';

const [url = ''] = process.argv.slice(2);
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const client = new Client(
  { name: 'caller', version: '1.0.0' },
  {
    capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    versionNegotiation: { mode: 'auto' },
  },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const onpartialresult = ({ seq }: { seq: number }): void => print({ seq });
try {
  await callTool(
    client,
    { name: 'count', arguments: { early: 2, count: 60, delayMs: 20 } },
    { onpartialresult },
  );
} catch (error) {
  if (!(error instanceof PartialResultsError) || !error.task) throw error;
  print({ taskId: error.task.taskId });
  await followTask(client, error.task.taskId, { onpartialresult });
}
