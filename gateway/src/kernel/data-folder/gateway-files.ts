import { join } from 'node:path';
import type { HomeConfig } from '../configuration/home-config.js';

/** Where the ledger of the INTERNAL acquirer is: in the home, or in the database of `DATABASE_URL`. */
export function ledgerPlace({ home, databaseUrl }: Pick<HomeConfig, 'home' | 'databaseUrl'>) {
  return { file: gatewayFiles(home).acquirerDatabase, ...(databaseUrl !== undefined && { databaseUrl }) };
}

/** The files of a gateway's home in addition to the key files of security-files.ts. */
export function gatewayFiles(home: string) {
  return {
    database: join(home, 'gateway.db'),
    /** The INTERNAL acquirer's own. */
    acquirerDatabase: join(home, 'acquirer-internal.db'),
    /** Key of the access token hashes; mode 0600. */
    tokenKey: join(home, 'keys', 'token.key'),
    /** Folder of the files that merchants reconcile with. */
    reconciliation: join(home, 'reconciliation'),
    /** What was revoked, used up and sent to acquirers, outside of the database (security/restored-database). */
    restoreRecord: join(home, 'restore', 'record'),
    /** Folder of the files of acquirers while they are imported. */
    acquirerFiles: join(home, 'acquirer-files'),
    /** What `seed` gave out; mode 0600. */
    credentials: join(home, 'credentials.json'),
    /** Card ranges and their issuers, in place of the table that ships; need not be there. */
    binTable: join(home, 'bin-table.json'),
    /** Countries of IP addresses; need not be there. */
    ipCountries: join(home, 'ip-countries.csv'),
  };
}
