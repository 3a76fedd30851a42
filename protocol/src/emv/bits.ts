/** One bit of a field: byte counted from 1 as in EMV tables, and its mask. */
export interface Bit {
  readonly byte: number;
  readonly mask: number;
}

/** A bit and what it says when it is set. */
export interface NamedBit extends Bit {
  readonly name: string;
}

/** A field described bit by bit, in the order of the specification's table. */
export type BitTable = readonly NamedBit[];

/** Row of a table: byte from 1, bit from 8 down to 1 as EMV counts, name. */
export type BitRow = readonly [byte: number, bit: number, name: string];

/** A table out of rows written as in the specification. */
export function bitTable(rows: readonly BitRow[]): BitTable {
  return rows.map(([byte, bit, name]) => ({ byte, mask: 1 << (bit - 1), name }));
}

/** One bit as EMV counts: byte from 1, bit from 8 down to 1. */
export function bit(byte: number, bitNumber: number): Bit {
  return { byte, mask: 1 << (bitNumber - 1) };
}

/** Whether the bit is set; a bit beyond the field is not. */
export function hasBit(field: Uint8Array, { byte, mask }: Bit): boolean {
  return ((field[byte - 1] ?? 0) & mask) !== 0;
}

/**
 * Sets the bit in place.
 * @throws RangeError when the field is too short for it
 */
export function setBit(field: Uint8Array, { byte, mask }: Bit): void {
  const value = field[byte - 1];
  if (value === undefined) throw new RangeError(`field of ${field.length} bytes has no byte ${byte}`);
  field[byte - 1] = value | mask;
}

/**
 * Clears the bit in place.
 * @throws RangeError when the field is too short for it
 */
export function clearBit(field: Uint8Array, { byte, mask }: Bit): void {
  const value = field[byte - 1];
  if (value === undefined) throw new RangeError(`field of ${field.length} bytes has no byte ${byte}`);
  field[byte - 1] = value & ~mask;
}

/** Names of the set bits in the order of the table. */
export function bitNames(field: Uint8Array, table: BitTable): string[] {
  return table.filter((named) => hasBit(field, named)).map((named) => named.name);
}
