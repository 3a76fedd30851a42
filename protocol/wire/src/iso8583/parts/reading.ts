import type { Cursor, Reader } from '../cursor.js';
import { Iso8583Error } from '../iso8583-error.js';

/** Values of the parts of a field, by the keys that `PartsSpec` names. */
export type Parts = Readonly<Record<string, string>>;

/** Parts that are being read. */
export interface Reading {
  /** Number of the field, for errors. */
  readonly field: number;
  readonly from: Reader;
  readonly found: Record<string, string>;
}

/** Parts that are being written. */
export interface Writing {
  readonly field: number;
  readonly out: Cursor;
  readonly values: Parts;
}

/** @throws Iso8583Error trailing */
export function assertEnd({ field, from }: Reading): void {
  if (from.left > 0) throw new Iso8583Error('trailing', field, `${from.left} bytes behind its parts`);
}
