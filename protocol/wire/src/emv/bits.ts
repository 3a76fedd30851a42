/** One bit of a field: byte counted from 1 as in EMV tables, its mask, and its meaning when set. */
export interface Bit {
  readonly byte: number;
  readonly mask: number;
  readonly name: string;
}

/** A field described bit by bit, in the order of the specification's table; by name where the program sets the bits. */
export type BitTable = Readonly<Record<string, Bit>> | readonly Bit[];

/** One bit as EMV counts: byte from 1, bit from 8 down to 1. */
export function bit(byte: number, bitNumber: number, name: string): Bit {
  return { byte, mask: 1 << (bitNumber - 1), name };
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

/** Names of the set bits in the order of the table. */
export function bitNames(field: Uint8Array, table: BitTable): string[] {
  return Object.values<Bit>(table)
    .filter((named) => hasBit(field, named))
    .map((named) => named.name);
}
