import type { SqliteOptions } from '@tillbridge/platform/sqlite/connection.js';
import { LedgerDatabase } from './ledger-database.js';
import type { LedgerStore } from './ledger-store.js';

/** Where the ledger of the INTERNAL acquirer is. */
export interface LedgerPlace extends Pick<SqliteOptions, 'maxBytes'> {
  /** Its own database file; never the gateway's. */
  readonly file: string;
  /** A PostgreSQL database in the place of the file: the ledger has its own schema there. */
  readonly databaseUrl?: string;
}

/** Opens the ledger of the INTERNAL acquirer, making it where it is missing. @throws StoreUnavailableError, SchemaTooNewError */
export async function openLedger({ file, databaseUrl: url, ...options }: LedgerPlace): Promise<LedgerStore> {
  if (url === undefined) return LedgerDatabase.open(file, options);
  // Loaded where it is needed alone.
  const { PostgresLedger, LEDGER_SCHEMA_NAME } = await import('./postgres-ledger.js');
  return PostgresLedger.open({ url, schema: LEDGER_SCHEMA_NAME });
}
