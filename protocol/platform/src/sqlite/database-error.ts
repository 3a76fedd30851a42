import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import { DATABASE_FAULTS } from '../errors/error-table.js';

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

const FAULTS: Readonly<Record<string, DatabaseFault>> = {
  SQLITE_FULL: 'disk-full',
  SQLITE_READONLY: 'read-only',
  SQLITE_CORRUPT: 'corrupt',
  SQLITE_NOTADB: 'corrupt',
  SQLITE_BUSY: 'locked',
  SQLITE_LOCKED: 'locked',
  SQLITE_PROTOCOL: 'locked',
  SQLITE_CANTOPEN: 'cannot-open',
  SQLITE_PERM: 'cannot-open',
  SQLITE_AUTH: 'cannot-open',
  SQLITE_MISUSE: 'closed',
};

/** The error of a program for an error of SQLite; whatever is neither known nor a constraint counts as an I/O error. */
export function toDatabaseError(error: Error & { readonly code?: string }, asError: FaultError): Error {
  const { code = '' } = error;
  if (code === 'SQLITE_CONSTRAINT') return new ConstraintError(error.message);
  const fault = FAULTS[code] ?? 'io-error';
  return asError(fault, `${DATABASE_FAULTS[fault][0]} (${error.message})`);
}
