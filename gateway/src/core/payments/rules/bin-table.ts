import { HomeTableError } from '../../../kernel/errors/home-table-error.js';

/** Data of an issuer's card range (spec 2.10: card.issuer, type, level, regulatedFlag). */
interface BinEntry {
  readonly issuer: { readonly bank: string; readonly phone?: string; readonly website?: string };
  readonly type: string;
  readonly level: string;
  readonly regulatedFlag: 'true' | 'false';
  /** Of the issuer, two letters; for the risk check. */
  readonly country?: string;
}

/** Entries by the leading digits of their ranges. */
export type BinTable = ReadonlyMap<string, BinEntry>;

/** Shortest and longest leading digits of a range. */
const PREFIX = /^\d{4,6}$/;

/** The bin table is not what it must be; the message names the place. */
export class BinTableError extends HomeTableError {}

/** The entry whose range covers the six digits, the longest first. */
export function findBin(table: BinTable, bin: string): BinEntry | undefined {
  for (let length = 6; length >= 4; length -= 1) {
    const entry = table.get(bin.slice(0, length));
    if (entry) return entry;
  }
  return undefined;
}

/** Reads a table: a JSON object of entries by leading digits. @throws BinTableError */
export function readBinTable(json: string): BinTable {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new BinTableError('the bin table is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new BinTableError('the bin table must be an object of entries by leading digits');
  }
  return new Map(Object.entries(parsed).map(([prefix, entry]) => [prefix, readEntry(prefix, entry)]));
}

function readEntry(prefix: string, value: unknown): BinEntry {
  if (!PREFIX.test(prefix)) throw new BinTableError(`bin table: ${prefix} is not 4 to 6 digits`);
  const { issuer, type, level, regulatedFlag, country } = memberOf(prefix, value);
  const { bank, phone, website } = memberOf(`${prefix}.issuer`, issuer);
  return {
    issuer: {
      bank: textOf(`${prefix}.issuer.bank`, bank),
      ...(phone !== undefined && { phone: textOf(`${prefix}.issuer.phone`, phone) }),
      ...(website !== undefined && { website: textOf(`${prefix}.issuer.website`, website) }),
    },
    type: textOf(`${prefix}.type`, type),
    level: textOf(`${prefix}.level`, level),
    regulatedFlag: regulatedFlag === true ? 'true' : 'false',
    ...(country !== undefined && { country: textOf(`${prefix}.country`, country) }),
  };
}

function memberOf(place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null)
    throw new BinTableError(`bin table: ${place} is no object`);
  return value as Readonly<Record<string, unknown>>;
}

function textOf(place: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > 2048) {
    throw new BinTableError(`bin table: ${place} must be a text of at most 2048 characters`);
  }
  return value;
}
