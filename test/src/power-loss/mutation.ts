import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What SQLite is set to in place of `synchronous = FULL`: the mistakes that the power-loss test has to see. */
export const MUTATIONS = ['OFF', 'NORMAL'] as const;
/** See {@link MUTATIONS}. */
export type Mutation = (typeof MUTATIONS)[number];

interface Connection {
  run(sql: string, ...rest: unknown[]): unknown;
  exec(sql: string, ...rest: unknown[]): unknown;
}

/** From now on every connection of this process syncs less than the code under test requires. */
export function syncLess(mode: Mutation): void {
  // The very module that agent and gateway load.
  const load = createRequire(fileURLToPath(import.meta.resolve('@tillbridge/platform/sqlite/connection.js')));
  const { Database } = load('sqlite3') as { Database: { prototype: Connection } };
  const real = { run: Database.prototype.run, exec: Database.prototype.exec };
  const weaker = (sql: string): string => sql.replace('synchronous = FULL', `synchronous = ${mode}`);
  Database.prototype.run = function (sql, ...rest) {
    return real.run.call(this, weaker(sql), ...rest);
  };
  Database.prototype.exec = function (sql, ...rest) {
    return real.exec.call(this, weaker(sql), ...rest);
  };
}
