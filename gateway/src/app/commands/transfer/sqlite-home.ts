import type { ConfigOption } from '../../../kernel/commands/command.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';

/** The home of a gateway whose database is SQLite. @throws OperatorError saying what to do where it is on a server */
export function sqliteHome(options: ConfigOption, remedy: string): string {
  const { home, databaseUrl } = options.readConfig();
  if (databaseUrl !== undefined) throw new OperatorError(`DATABASE_URL is set: ${remedy}`);
  return home;
}
