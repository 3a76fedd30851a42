import { join } from 'node:path';

/** What stands in the gateway's home beside the key files of security-files.ts. */
export interface GatewayFiles {
  readonly database: string;
  /** The INTERNAL acquirer's own. */
  readonly acquirerDatabase: string;
  /** Key of the access token hashes; mode 0600. */
  readonly tokenKey: string;
  /** What `seed` gave out; mode 0600. */
  readonly credentials: string;
  /** Card ranges and their issuers, in place of the table that ships; need not be there. */
  readonly binTable: string;
}

/** The files of a gateway's home. */
export function gatewayFiles(home: string): GatewayFiles {
  return {
    database: join(home, 'gateway.db'),
    acquirerDatabase: join(home, 'acquirer-internal.db'),
    tokenKey: join(home, 'keys', 'token.key'),
    credentials: join(home, 'credentials.json'),
    binTable: join(home, 'bin-table.json'),
  };
}
