import { mappingOf } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { present } from '@tillbridge/wire/present.js';
import { HomeTableError } from '../../../kernel/errors/home-table-error.js';

const text = Type.String({ maxLength: 2048, expected: 'a text of at most 2048 characters' });

/** Data of an issuer's card range (card.issuer, type, level, regulatedFlag). Files may say more. */
const ENTRY = Type.Object(
  {
    issuer: Type.Object(
      { bank: text, phone: Type.Optional(text), website: Type.Optional(text) },
      { expected: 'an object with bank' },
    ),
    type: text,
    level: text,
    regulatedFlag: Type.Boolean({ expected: 'true or false', default: false }),
    /** Of the issuer, two letters; for the risk check. */
    country: Type.Optional(text),
  },
  { expected: 'an object with issuer, type and level' },
);
type BinEntry = Omit<Static<typeof ENTRY>, 'regulatedFlag'> & { readonly regulatedFlag: 'true' | 'false' };

/** Entries by the leading digits of their ranges. */
export type BinTable = ReadonlyMap<string, BinEntry>;

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

const readEntries = jsonReader(
  mappingOf('leading digits', /^\d{4,6}$/, '4 to 6 leading digits', ENTRY),
  'the bin table',
  (reason) => new BinTableError(reason),
);

/** Reads a table: a JSON object of entries by leading digits. @throws BinTableError */
export function readBinTable(json: string): BinTable {
  return new Map(
    Object.entries(readEntries(json)).map(([prefix, { issuer, type, level, regulatedFlag, country }]) => {
      const { bank, phone, website } = issuer;
      const isRegulated = regulatedFlag ? 'true' : 'false';
      return [
        prefix,
        {
          issuer: { bank, ...present({ phone, website }) },
          type,
          level,
          regulatedFlag: isRegulated,
          ...present({ country }),
        },
      ];
    }),
  );
}
