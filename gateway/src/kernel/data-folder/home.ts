import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { gatewayFiles } from './gateway-files.js';

/**
 * Makes the gateway's folder, for its owner alone, unless it is there. A database in it must be writable: SQLite opens one that is not
 * without a word, and then refuses every payment.
 * @throws ConfigError when the folder cannot be made, or it or a database not be written
 */
export function prepareHome(home: string): void {
  try {
    makeFolder(home);
    accessSync(home, constants.W_OK | constants.X_OK);
    const { database, acquirerDatabase } = gatewayFiles(home);
    for (const file of [database, acquirerDatabase]) if (existsSync(file)) closeSync(openSync(file, 'r+'));
  } catch (error) {
    const { code = 'unknown error', path } = error as NodeJS.ErrnoException;
    const what = path === undefined || path === home ? '' : `: ${path}`;
    throw new ConfigError(
      `home ${home} cannot be used (${code}${what}): choose another one with GATEWAY_HOME`,
    );
  }
}
