import { readArguments } from './arguments.ts';
import { checkClient } from './client/check-client.ts';
import { CLIENT_CHECKS } from './client/catalogue.ts';
import { exitCode, formatReport } from './report.ts';
import { checkServer } from './server/check-server.ts';
import { SERVER_CHECKS } from './server/catalogue.ts';
import { USAGE } from './usage.ts';

/** The check itself could not be made: wrong arguments, or nobody there. */
const COULD_NOT_CHECK = 2;

export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** The command; resolves with its exit code. */
export async function main(argv: readonly string[], { out, err }: Output): Promise<number> {
  try {
    const command = readArguments(argv);
    if (command.kind === 'help') {
      out(USAGE);
      return 0;
    }
    const report = await (command.kind === 'server'
      ? checkServer(command.options)
      : checkClient(command.options));
    const catalogue = { ...SERVER_CHECKS, ...CLIENT_CHECKS };
    out(command.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report, catalogue));
    return exitCode(report, command.strict);
  } catch (error) {
    err(`${error instanceof Error ? error.message : String(error)}\n`);
    return COULD_NOT_CHECK;
  }
}
