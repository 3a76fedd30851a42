import {
  CHANGED_ENCODINGS,
  CHANGED_FILLERS,
  dialectOf,
  PRESENCES,
  VALUE_CONDITIONS,
} from '@tillbridge/wire/iso8583/dialects/dialect-changes.js';
import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { DIALECT_TABLES, DIALECTS, type Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { requireUsable } from '@tillbridge/wire/iso8583/exchange/require-usable.js';
import { present } from '@tillbridge/wire/present.js';
import { mappingOf, oneOf, ruledText, section, text } from '../schema/fields.js';
import { type Static, Type } from '../schema/type.js';
import { entriesOf, listed } from './list-setting.js';
import { flag } from './setting.js';

/** How the authentication codes of messages may be made; `none`: they have none. */
export const MAC_METHODS = ['iso9797Algorithm1', 'iso9797Algorithm3', 'cmac', 'none'] as const;

/** Characters of a value that each request has in a field. */
const MAX_VALUE_LENGTH = 999;

const FIELD = section({
  format: Type.Optional(
    text('as the standard writes it, such as n6, ans..25, b8 or z..37', /^[a-z+]{1,4}\.{0,4}\d{1,4}$/, {
      description:
        'Attribute and length as the standard writes them: `n6`, `ans..25`, `b8`; more dots are more digits of the length.',
    }),
  ),
  length: Type.Optional(
    oneOf(['ascii', 'bcd', 'binary', 'ebcdic'], { description: 'How the length in front is written.' }),
  ),
  encoding: Type.Optional(
    oneOf(CHANGED_ENCODINGS, {
      description:
        'How the value is written. Bytes as hex digits: `hex`, whose length counts bytes, and `hexText`, whose length counts digits.',
    }),
  ),
  filler: Type.Optional(
    oneOf(CHANGED_FILLERS, {
      description: 'Which half of a byte an odd number of BCD digits leaves, and what fills it: zero, or F.',
    }),
  ),
  presence: Type.Optional(
    oneOf(PRESENCES, {
      description: '`never` is not written; a request for money without a `required` field is refused.',
    }),
  ),
  value: Type.Optional(
    ruledText(
      `a text of 1 to ${MAX_VALUE_LENGTH} characters, in quotes`,
      (value) =>
        typeof value === 'string' && value.length >= 1 && value.length <= MAX_VALUE_LENGTH ? undefined : {},
      { description: 'What each request has in the field, such as the NII in field 24.' },
    ),
  ),
  when: Type.Optional(
    oneOf(VALUE_CONDITIONS, {
      description: 'Which requests have the `value`: all, or with `pin` those with a PIN block alone.',
    }),
  ),
  isRepeated: Type.Optional(
    flag({
      description:
        'What an answer has in the field is sent again by captures, refunds and reversals of it: a token of the host. A value that could be a card number is not.',
    }),
  ),
  resultName: Type.Optional(
    text('1 to 40 letters and digits, a letter first', /^[A-Za-z][A-Za-z0-9]{0,39}$/, {
      description: 'Name in `resultDetails` under which the text of the field of an answer is shown.',
    }),
  ),
});

/** What a party does otherwise than its base dialect of ISO 8583. */
export const DIALECT_CHANGES = section({
  mti: Type.Optional(oneOf(['ascii', 'bcd', 'ebcdic'], { description: 'How the message type is written.' })),
  bitmap: Type.Optional(
    oneOf(['binary', 'hex'], { description: 'How bitmaps are written: as bytes, or as hex digits.' }),
  ),
  header: Type.Optional(
    section({
      length: Type.Optional(
        oneOf(['binary', 'bcd', 'ascii'], {
          description: 'The length of a message on the line: two bytes, two bytes of BCD, or four digits.',
        }),
      ),
      countsItself: Type.Optional(flag({ description: 'Whether the length counts its own bytes.' })),
      tpdu: Type.Optional(
        text('ten digits in quotes that begin with 6', /^6\d{9}$/, {
          description: 'Header of each message: identifier 60, destination and source.',
        }),
      ),
    }),
  ),
  timeZone: Type.Optional(
    text('a time zone of IANA, such as Europe/Berlin, or local', /^[A-Za-z0-9_+/-]{1,64}$/, {
      description:
        'Of time and date of the transaction (12, 13), or `local`: that of the merchant in its route. Field 7 is UTC in each dialect.',
    }),
  ),
  matchedBy: Type.Optional(
    listed(
      '11 and any of 7, 37 and 41, parted by commas',
      (entries) => entries.length > 0 && entries.every((entry) => /^\d{1,3}$/.test(entry)),
      { description: 'Fields that tie an answer to its message; 7, 11 and 41 where it is left out.' },
    ),
  ),
  fields: Type.Optional(
    mappingOf('fields', /^\d{1,3}$/, 'the number of a field', FIELD, {
      description: 'Fields that are written otherwise, by number.',
    }),
  ),
});

/** Changes of a dialect, as a configuration has them. */
export type DialectSettings = Readonly<Static<typeof DIALECT_CHANGES>>;

/** The dialect of a configuration. @throws DialectError the path below the changes, and the rule */
export function configuredDialect(name: DialectName, settings: DialectSettings | undefined): Dialect {
  if (settings === undefined) return DIALECTS[name];
  const { matchedBy, ...changes } = settings;
  const dialect = dialectOf(DIALECT_TABLES[name], {
    ...changes,
    ...present({ matchedBy: matchedBy === undefined ? undefined : entriesOf(matchedBy).map(Number) }),
  });
  requireUsable(dialect);
  return dialect;
}
