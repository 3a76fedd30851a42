import { fileURLToPath } from 'node:url';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';

/**
 * Loaded beforehand (`--import`) into a gateway that shall break its promise: its databases no longer wait for the disk with each commit.
 * The benches have to distinguish it from one that keeps it.
 */
export const SYNCHRONOUS_NORMAL = `--import ${fileURLToPath(import.meta.url)}`;

const { exec } = SqliteConnection.prototype;
SqliteConnection.prototype.exec = function execWithoutSync(sql) {
  return exec.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'));
};
