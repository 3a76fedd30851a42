import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { STORE_FAULTS } from '../errors/error-table.js';
import type { AgreementRow, AlertRow, DeliveryRow, Rows, TableName } from './rows.js';

/** A column value. */
export type Scalar = string | number | null;

/** Values of the primary key columns, in the table's order. */
export type Key = readonly Scalar[];

/** What distinguishes values of one index in a map: a single value stands for itself, several for their JSON. */
export function keyName(values: Key): Scalar {
  const [first = null] = values;
  return values.length <= 1 ? first : JSON.stringify(values);
}

/**
 * One change of a commit, as data. All changes of a commit happen or none does.
 *
 * - `insert`: the row's `version` must be 1; fails with `unique` when its key or a unique index is taken.
 * - `update`: the whole new row, with the `version` it was read with; fails with `version` when the stored one differs.
 *   The stored version goes up by one. Key columns never change.
 * - `delete`: removes the row; fails with `version` when it is gone already or the stored version differs.
 * - `require-absent`: fails with `present` when a row with these values in the named unique index (or primary key) exists.
 * - `require-field`: fails with `field` when the row is missing or its column has another value.
 * - `advance-stream`: raises `streams.nextSequence` to at least this number; never fails.
 * - `raise-alert`: inserts the alert, or replaces one of the same id that has ended; changes nothing while that one stands; never fails.
 * - `clear-alert`: clears the alert of this id if it stands; never fails.
 * - `append-delivery`: inserts the delivery under the next number of its endpoint; never fails, and does nothing where the endpoint is gone.
 * - `raise-counter`: raises a counter of a device to at least this number; never fails, and does nothing where the device is gone.
 * - `claim-agreement`: an agreement for its card, under one reference: made, or held while its first payment is under way. Never fails where the
 *   reference is free or of the same card; see {@link ClaimAgreement}.
 */
export type Change =
  | { [T in TableName]: TableChange<T> }[TableName]
  | { readonly op: 'delete'; readonly table: TableName; readonly key: Key; readonly version: number }
  | AdvanceStream
  | RaiseAlert
  | ClearAlert
  | AppendDelivery
  | RaiseCounter
  | ClaimAgreement;

type TableChange<T extends TableName> =
  | { readonly op: 'insert'; readonly table: T; readonly row: Rows[T] }
  | { readonly op: 'update'; readonly table: T; readonly row: Rows[T] }
  | { readonly op: 'require-absent'; readonly table: T; readonly index: string; readonly values: Key }
  | {
      readonly op: 'require-field';
      readonly table: T;
      readonly key: Key;
      readonly column: keyof Rows[T] & string;
      readonly equals: Scalar;
    };

/** See {@link Change}. */
export interface AdvanceStream {
  readonly op: 'advance-stream';
  readonly agentId: string;
  readonly terminalId: string;
  readonly nextSequence: number;
}

/** See {@link Change}. */
export interface RaiseAlert {
  readonly op: 'raise-alert';
  readonly row: AlertRow;
}

/** See {@link Change}. */
export interface ClearAlert {
  readonly op: 'clear-alert';
  readonly id: string;
  readonly atMs: number;
}

/** See {@link Change}. */
export interface AppendDelivery {
  readonly op: 'append-delivery';
  readonly row: Omit<DeliveryRow, 'sequence'>;
}

/** See {@link Change}. */
export interface RaiseCounter {
  readonly op: 'raise-counter';
  readonly serial: string;
  readonly column: 'highestCounter' | 'forgottenCounter' | 'unknownCounter';
  readonly to: number;
}

/**
 * See {@link Change}. Where the reference is free, the row is inserted. Where it is of the same card, the card stays, and a made agreement gets
 * the terms of one that is made; it is never held again. Any number of claims for one card at once succeed.
 */
export interface ClaimAgreement {
  readonly op: 'claim-agreement';
  readonly row: AgreementRow;
  /**
   * Where another card has the reference: `conflict` fails with `field` on `agreements.card`; `leave`, of a payment whose money has moved,
   * replaces what is held alone, and never fails.
   */
  readonly otherwise: 'conflict' | 'leave';
  /** The payment of another card that held the reference and was declined: it is replaced. */
  readonly instead?: string;
}

/** What a reader may limit. */
export interface FindOptions {
  /** Most rows returned; default {@link FIND_LIMIT}. */
  readonly limit?: number;
  /** `find` alone: only rows whose primary key is above this one. */
  readonly after?: Key;
}

/** A range of an index: rows with the values of its first columns, and the last column, a number, between two ends. */
export interface Range<T extends TableName> {
  /** Values of the columns before the last one. */
  readonly equals?: Key;
  /** The last column is at least this number. */
  readonly from?: number;
  /** The last column is below this number. */
  readonly below?: number;
  /** Other columns, and the values of which each has one. */
  readonly among?: { readonly [Column in keyof Rows[T] & string]?: readonly Scalar[] };
  /** Other columns that are not null. */
  readonly filled?: readonly (keyof Rows[T] & string)[];
  /** The highest first. */
  readonly descending?: boolean;
  /** Rows that are passed over. */
  readonly skip?: number;
  /** Most rows returned; default {@link FIND_LIMIT}. */
  readonly limit?: number;
}

/** A range whose rows are counted: all of them, up to the limit. */
export type CountedRange<T extends TableName> = Omit<Range<T>, 'descending' | 'skip' | 'limit'> & {
  readonly limit: number;
};

/** What shapes the statement of a range. */
export interface RangeShape {
  /** How many columns of the index have a value. */
  readonly before: number;
  /** Columns that are limited to lists. */
  readonly among: readonly string[];
  readonly filled: readonly string[];
  readonly descending: boolean;
}

/** The rows of a table that were found. */
export type Found<T extends TableName> = Promise<readonly Rows[T][]>;

/** Rows a single `find` returns at most. */
export const FIND_LIMIT = 1_000;

/** The gateway's database: one interface, one contract (testing/store-contract.test.support.ts), several engines. */
export interface Store {
  /**
   * Carries out all changes or none; resolves when they are durable.
   * @throws CommitConflict a lost race: read again, decide again
   * @throws StoreUnavailableError the disk is full, read-only, broken: nothing was written
   */
  commit(changes: readonly Change[]): Promise<void>;
  /** The row with this primary key, as last committed. @throws StoreUnavailableError */
  get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined>;
  /**
   * Rows whose columns of a declared index (see tables.ts) equal the values, in primary key order.
   * @throws StoreUnavailableError
   */
  find<T extends TableName>(table: T, index: string, values: Key, options?: FindOptions): Found<T>;
  /**
   * Rows of a range of a declared index, in its order: with an index of times, the oldest or the newest first. Read in parallel with all other
   * reads, so that none of them waits for a long one.
   * @throws StoreUnavailableError
   */
  findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T>;
  /**
   * How many rows a range has, counted up to its limit; no row is read as a whole.
   * @throws StoreUnavailableError
   */
  countRange<T extends TableName>(table: T, index: string, range: CountedRange<T>): Promise<number>;
  /**
   * Rows whose primary key is above `after` (from the start without one), in key order: reads a table page by page.
   * @throws StoreUnavailableError
   */
  findAfter<T extends TableName>(table: T, after: Key | undefined, options?: FindOptions): Found<T>;
  /** Resolves when the database can be read and written now. @throws StoreUnavailableError */
  check(): Promise<void>;
  /** Carries out waiting commits, then closes the database. */
  close(): Promise<void>;
}

/** Which rule a commit broke. */
export interface Conflict {
  readonly kind: 'version' | 'unique' | 'present' | 'field';
  readonly table: TableName;
  /** The index (`primary` for the key) or the column. */
  readonly on: string;
}

/** Another commit came first; nothing of this one was written. */
export class CommitConflict extends Error {
  override readonly name = 'CommitConflict';
  readonly conflict: Conflict;

  constructor(conflict: Conflict) {
    super(`${conflict.kind} conflict on ${conflict.table}.${conflict.on}`);
    this.conflict = conflict;
  }
}

/** The database cannot be used now. Nothing of the failed call was written; a later call may succeed. */
export class StoreUnavailableError extends CodedError<keyof typeof STORE_FAULTS> {}
