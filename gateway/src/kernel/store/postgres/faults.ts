import { ConstraintError } from '@tillbridge/platform/sqlite/database-error.js';
import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import { DatabaseError } from 'pg';
import { StoreUnavailableError } from '../store.js';

/** What an error of the driver, of the network or of the server has (PostgreSQL, appendix A). */
interface ServerError extends Error {
  readonly code?: string;
}

const FAULTS: Readonly<Record<string, readonly [StoreUnavailableError['code'], string]>> = {
  '53100': ['disk-full', 'the disk of the database server is full'],
  '53300': ['unreachable', 'the database server has no connection left'],
  '25006': ['read-only', 'the database server takes no writes: it is a standby, or set to read only'],
  '55P03': ['locked', 'another node keeps rows locked'],
  '57014': ['locked', 'a statement took too long'],
  '28P01': ['cannot-open', 'the database server refuses user or password of DATABASE_URL'],
  '28000': ['cannot-open', 'the database server refuses the user of DATABASE_URL'],
  '3D000': ['cannot-open', 'the database of DATABASE_URL does not exist'],
  '42501': ['cannot-open', 'the user of DATABASE_URL lacks a right'],
  XX001: ['corrupt', 'the database is damaged'],
  XX002: ['corrupt', 'an index of the database is damaged'],
  '58030': ['io-error', 'the disk of the database server failed'],
};

/** Lost races inside the server: the same work again may succeed. Serialization failure, deadlock. */
const LOST_RACES: ReadonlySet<string | undefined> = new Set(['40001', '40P01']);

/** Whether the same work may succeed at once. */
export function isLostRace(error: unknown): boolean {
  return LOST_RACES.has((error as ServerError).code);
}

/** Whether an error is one of the connection, not an answer of the server. The server announces that it ends with class 57P. */
export function isConnectionLost(error: unknown): boolean {
  if (!isOfDriver(error)) return false;
  return !(error instanceof DatabaseError) || error.code?.startsWith('57P') === true;
}

/**
 * The error of the store for one of the driver; any other as it is. A plain error of the driver, and one of the network, carries no code of the
 * server: the connection is lost.
 */
export function toStoreError(error: unknown): Error {
  if (!isOfDriver(error)) return error instanceof Error ? error : new Error(String(error));
  const { code = '', message } = error;
  if (code.startsWith('23')) return new ConstraintError(message);
  const [fault, text] = FAULTS[code] ?? ['unreachable', `the database server cannot be used (${message})`];
  return new StoreUnavailableError(fault, text);
}

function isOfDriver(error: unknown): error is ServerError {
  if (error instanceof CodedError || !(error instanceof Error)) return false;
  return error instanceof DatabaseError || error.constructor === Error || 'code' in error;
}
