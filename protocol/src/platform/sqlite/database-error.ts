import { CodedError } from '../../errors/coded-error.js';
import type { DATABASE_FAULTS } from '../../errors/error-table.js';

/** Why a database cannot do its work now. */
export type DatabaseFault = keyof typeof DATABASE_FAULTS;

/** The database cannot do its work now; nothing of the failed statement was written. */
export class DatabaseError extends CodedError<DatabaseFault> {}

/** A constraint of the schema refuses the values: an answer, not a fault. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
}

/** Makes the error that a program throws for a fault of its database. */
export type FaultError = (fault: DatabaseFault, detail: string) => Error;

const FAULTS: Readonly<Record<string, readonly [DatabaseFault, string]>> = {
  SQLITE_FULL: ['disk-full', 'the disk of the database is full'],
  SQLITE_READONLY: ['read-only', 'the database cannot be written: its file, folder or disk is read-only'],
  SQLITE_CORRUPT: ['corrupt', 'the database file is damaged'],
  SQLITE_NOTADB: ['corrupt', 'the file is not a SQLite database'],
  SQLITE_BUSY: ['locked', 'another process keeps the database locked'],
  SQLITE_LOCKED: ['locked', 'the database is locked'],
  SQLITE_PROTOCOL: ['locked', 'the database lock protocol failed'],
  SQLITE_CANTOPEN: [
    'cannot-open',
    'the database file cannot be opened: check that its folder exists and may be written',
  ],
  SQLITE_PERM: ['cannot-open', 'the database file may not be opened'],
  SQLITE_AUTH: ['cannot-open', 'the database file may not be opened'],
  SQLITE_MISUSE: ['closed', 'the database is closed'],
};

/** The error of a program for an error of SQLite; whatever is neither known nor a constraint counts as an I/O error. */
export function toDatabaseError(error: Error & { readonly code?: string }, asError: FaultError): Error {
  const { code = '' } = error;
  if (code === 'SQLITE_CONSTRAINT') return new ConstraintError(error.message);
  const [fault, text] = FAULTS[code] ?? ['io-error', `the disk of the database failed (${error.message})`];
  return asError(fault, text);
}
