import type { LogConfig } from '@tillbridge/platform/config/program-settings.js';
import type { CommandLine } from '../audit/recorded-command.js';

/** The part of the configuration that locates a home's data and keys. */
export interface HomeConfig {
  /** The gateway's own folder; belongs to this process alone. */
  readonly home: string;
  /** A PostgreSQL database in the place of the SQLite files; it may hold a password. */
  readonly databaseUrl?: string;
  readonly transport: { readonly mode: 'test' | 'live' };
  /** Where the symmetric keys are, when not in the key store. */
  readonly token?: TokenConfig;
  /** Where security events of commands go. */
  readonly log: LogConfig;
  /** The command that works on the home, for the record of what it changes; absent: no operator's. */
  readonly command?: CommandLine;
}

/** A PKCS#11 token that holds the symmetric keys. */
export interface TokenConfig {
  /** The maker's library. */
  readonly library: string;
  /** Label of the token. */
  readonly label: string;
  /** File of mode 0600 with the user's PIN of the token, one line. */
  readonly pinFile: string;
}
