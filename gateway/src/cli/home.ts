import { accessSync, constants, mkdirSync } from 'node:fs';
import { ConfigError } from '../config.js';

/**
 * Makes the gateway's folder, for its owner alone, unless it is there.
 * @throws ConfigError when it cannot be made or written
 */
export function prepareHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(`home ${home} cannot be used (${code}): choose another one with GATEWAY_HOME`);
  }
}
