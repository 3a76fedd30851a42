import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ConfigOption } from '../../../kernel/commands/command.js';
import { gatewayFiles } from '../../../kernel/data-folder/gateway-files.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { backupFile } from '../../../kernel/store/transfer/backup-file.js';
import { sqliteHome } from './sqlite-home.js';

/** Copies the SQLite files of a home, while its gateway runs. @throws OperatorError */
export async function backup(folder: string, options: ConfigOption): Promise<void> {
  const home = sqliteHome(options, 'back the PostgreSQL database up with its own tools');
  const { database, acquirerDatabase } = gatewayFiles(home);
  if (!existsSync(database)) throw new OperatorError(`${home} has no gateway database yet`);
  if (existsSync(folder)) throw new OperatorError(`${folder} is there already: name a new folder`);
  mkdirSync(folder, { mode: 0o700, recursive: true });
  // The gateway's own file first: the acquirer may know of more than the gateway, never of less.
  for (const file of [database, acquirerDatabase].filter((each) => existsSync(each))) {
    const copy = join(folder, basename(file));
    await backupFile(file, copy);
    process.stdout.write(`${copy}\n`);
  }
}
