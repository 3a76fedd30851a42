import type { FieldSpec } from '@tillbridge/wire/iso8583/field-spec.js';
import { type Iso8583Message, packMessage, unpackMessage } from '@tillbridge/wire/iso8583/message.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PEER_DIALECT, PEER_UNKNOWN_FIELD, peerPack, peerUnpack } from './independent-codec.js';

const SEED = 20;
const DIGITS = '0123456789';
const TEXT = `${DIGITS}ABCXYZabcxyz .,-/`;

function textOf({ encoding, content, maxLength, lengthDigits }: FieldSpec): fc.Arbitrary<string> {
  const isBinary = encoding === 'binary';
  const alphabet = isBinary
    ? '0123456789ABCDEF'
    : content === 'n' || content === 'x'
      ? DIGITS
      : content === 'z'
        ? `${DIGITS}=`
        : TEXT;
  const most = isBinary ? maxLength * 2 : maxLength;
  // It takes no empty value.
  const least = lengthDigits === 0 ? most : 1;
  const text = fc.string({
    unit: fc.constantFrom(...alphabet),
    minLength: content === 'x' ? most - 1 : least,
    maxLength: content === 'x' ? most - 1 : Math.min(most, Math.max(least, 60)),
  });
  return content === 'x' ? fc.tuple(fc.constantFrom('C', 'D'), text).map((parts) => parts.join('')) : text;
}

const numbers = Object.keys(PEER_DIALECT.fields)
  .map(Number)
  .filter((number) => number !== PEER_UNKNOWN_FIELD);

const message: fc.Arbitrary<Iso8583Message> = fc
  .record({
    mti: fc.constantFrom(
      '0100',
      '0110',
      '0200',
      '0210',
      '0220',
      '0230',
      '0400',
      '0410',
      '0420',
      '0430',
      '0800',
    ),
    chosen: fc.uniqueArray(fc.constantFrom(...numbers), { minLength: 1, maxLength: 20 }),
  })
  .chain(({ mti, chosen }) =>
    fc.record({
      mti: fc.constant(mti),
      fields: fc.record(
        Object.fromEntries(
          chosen.map((number) => [number, textOf(PEER_DIALECT.fields[number] as FieldSpec)]),
        ),
      ),
    }),
  );

describe('npm iso_8583, which shares no code with ours', () => {
  it('reads what ours wrote, and ours reads what it wrote', () => {
    fc.assert(
      fc.property(message, (sent) => {
        expect(peerUnpack(packMessage(PEER_DIALECT, sent))).toEqual(sent);
        expect(unpackMessage(PEER_DIALECT, peerPack(sent))).toEqual(sent);
      }),
      { seed: SEED, numRuns: 120 },
    );
  });

  it('writes the same bytes where there are fields above 64', () => {
    fc.assert(
      fc.property(message, ({ mti, fields }) => {
        const sent = { mti, fields: { ...fields, 70: '301' } };
        expect(packMessage(PEER_DIALECT, sent)).toEqual(peerPack(sent));
      }),
      { seed: SEED, numRuns: 120 },
    );
  });
});
