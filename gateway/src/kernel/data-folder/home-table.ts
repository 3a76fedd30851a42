import { readFileSync } from 'node:fs';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { HomeTableError } from '../errors/home-table-error.js';

/**
 * Reads a table of data that an installation may put into its home; undefined where it has none.
 * @throws ConfigError naming the file and what is wrong in it
 */
export function readHomeTable<T>(file: string, read: (content: string) => T): T | undefined {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof HomeTableError) throw new ConfigError(`${file}: ${error.message}`);
    const code = systemCode(error);
    if (code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read: ${code}`);
  }
}
