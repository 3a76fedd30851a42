import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../bytes.js';
import { describeTlv } from '../emv/describe.js';
import { buildDol, parseDol } from '../emv/dol.js';
import { decodeTlv, decodeTlvPartly, encodeTlv, type TlvNode } from '../emv/tlv.js';
import type { FieldSpec, MessageSpec } from '../iso8583/field-spec.js';
import { packMessage, unpackMessage } from '../iso8583/message.js';
import { gcmOpen, gcmSeal } from './ciphers/gcm.js';
import { padBit, unpadBit } from './ciphers/padding.js';
import { advanceAesKsn, aesCounter } from './dukpt/dukpt-aes.js';
import { advanceKsn, tdesCounter } from './dukpt/dukpt-tdes.js';
import { unwrapKeyBlock, wrapKeyBlock } from './key-block/key-block.js';
import type { KeyBlockHeader } from './key-block/key-block-header.js';
import { decodePinBlock, encodePinBlock, type PinBlockFormat } from './pin/pin-block.js';
import { decipherPin, encipherPin, isTranslationAllowed, translatePin } from './pin/pin-translation.js';
import { bytes, digits, filler, pan, pin, refusalOf, SEED } from './random.test.support.js';

const check = <T>(property: fc.IProperty<T>) => fc.assert(property, SEED);

const tag = fc.constantFrom('9C', '5F2A', '9F36', 'DF8129', 'C1', '8A');
const template = fc.constantFrom('70', 'E0', 'BF0C', 'FF8105');
const { nodes } = fc.letrec<{ nodes: TlvNode[]; node: TlvNode }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }),
  node: fc.oneof(
    { maxDepth: 4 },
    fc.record({ tag, value: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ tag: template, children: tie('nodes') as fc.Arbitrary<TlvNode[]> }),
  ),
}));

describe('BER-TLV', () => {
  const plain = (list: readonly TlvNode[]): unknown =>
    list.map((node) => ('value' in node ? [node.tag, toHex(node.value)] : [node.tag, plain(node.children)]));

  it('decode reverses encode', () => {
    check(
      fc.property(nodes, (list) => {
        expect(plain(decodeTlv(encodeTlv(list)))).toEqual(plain(list));
      }),
    );
  });

  it('any bytes are read or refused, and what is read is written to the same meaning', () => {
    check(
      fc.property(fc.uint8Array({ maxLength: 60 }), (data) => {
        for (const padding of ['skip', 'strict'] as const) {
          const code = refusalOf(() => {
            const read = decodeTlv(data, { padding });
            expect(plain(decodeTlv(encodeTlv(read), { padding }))).toEqual(plain(read));
          });
          expect([undefined, 'badTag', 'badLength', 'truncated', 'tooDeep']).toContain(code);
        }
        refusalOf(() => describeTlv(data));
        const partly = decodeTlvPartly(data);
        // What a whole reading refuses is refused here too, at the first mistake within what was cut short.
        const whole = refusalOf(() => expect(plain(partly.nodes)).toEqual(plain(decodeTlv(data))));
        expect(partly.error === undefined).toBe(whole === undefined);
        refusalOf(() =>
          expect(buildDol(data, () => data)).toHaveLength(parseDol(data).reduce((n, e) => n + e.length, 0)),
        );
      }),
    );
  });
});

describe('PIN blocks', () => {
  const format = fc.constantFrom<PinBlockFormat>(0, 1, 2, 3, 4);
  const protection = (of: PinBlockFormat, key: Uint8Array) =>
    ({ format: of, cipher: of === 4 ? 'aes' : 'tdes', key }) as const;

  it('decode reverses encode', () => {
    check(
      fc.property(fc.constantFrom(0, 1, 2, 3), pin, pan, (of, digitsOfPin, number) => {
        const block = encodePinBlock({
          format: of as 0 | 1 | 2 | 3,
          pin: digitsOfPin,
          pan: number,
          random: filler,
        });
        expect(decodePinBlock(of as 0 | 1 | 2 | 3, block, number).toString('latin1')).toBe(digitsOfPin);
      }),
    );
  });

  it('translation keeps the PIN, or is forbidden by the table', () => {
    check(
      fc.property(
        format,
        format,
        pin,
        pan,
        bytes(16),
        bytes(16),
        (from, to, digitsOfPin, number, keyA, keyB) => {
          const source = protection(from, keyA);
          const target = protection(to, keyB);
          const block = encipherPin(source, digitsOfPin, number, filler);
          const refusal = refusalOf(() => {
            const moved = translatePin(source, block, number, target, filler);
            expect(decipherPin(target, moved, number).toString('latin1')).toBe(digitsOfPin);
          });
          expect(refusal).toBe(isTranslationAllowed(from, to) ? undefined : 'notAllowed');
        },
      ),
    );
  });

  it('any block is read or refused by one of the four rules', () => {
    check(
      fc.property(fc.constantFrom(0, 1, 2, 3), bytes(8), pan, (of, block, number) => {
        const rule = refusalOf(() => decodePinBlock(of as 0 | 1 | 2 | 3, block, number));
        expect([undefined, 'badControl', 'badLength', 'badDigits', 'badPadding']).toContain(rule);
      }),
    );
  });
});

describe('key blocks', () => {
  const upper = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
  const optionalBlock = fc.record({
    id: fc.constantFrom('KS', 'TS', 'LB', '10'),
    data: fc.array(upper, { maxLength: 300 }).map((list) => list.join('')),
  });
  const header = fc.record<KeyBlockHeader>({
    version: fc.constantFrom('B', 'D'),
    usage: fc.constantFrom('P0', 'B0', 'E0'),
    algorithm: fc.constantFrom('T', 'A'),
    mode: fc.constantFrom('E', 'X', 'N'),
    keyVersion: fc.constant('00'),
    exportability: fc.constantFrom('E', 'N', 'S'),
    optionalBlocks: fc.array(optionalBlock, { maxLength: 3 }),
  });
  const keyBytes = fc.constantFrom(16, 24, 32).chain(bytes);

  it('unwrap reverses wrap', () => {
    check(
      fc.property(header, bytes(16), keyBytes, (head, kbpk, key) => {
        const block = wrapKeyBlock(kbpk, head, key, { random: filler });
        const back = unwrapKeyBlock(kbpk, block);
        expect(toHex(back.key)).toBe(toHex(key));
        expect(back.header).toEqual(head);
      }),
    );
  });

  it('a block with one character changed is refused', () => {
    check(
      fc.property(header, bytes(16), keyBytes, fc.nat(), upper, (head, kbpk, key, place, character) => {
        const block = wrapKeyBlock(kbpk, head, key, { random: filler });
        const at = place % block.length;
        fc.pre(block[at] !== character);
        const changed = block.slice(0, at) + character + block.slice(at + 1);
        expect(refusalOf(() => unwrapKeyBlock(kbpk, changed))).toBeDefined();
      }),
    );
  });

  it('any text is refused with a rule', () => {
    check(
      fc.property(fc.string({ maxLength: 200 }), (block) => {
        expect(
          refusalOf(() => unwrapKeyBlock(new Uint8Array(16), block, { legacyVersions: 'accept' })),
        ).toBeDefined();
      }),
    );
  });
});

describe('counters', () => {
  const ones = (value: number) => value.toString(2).replaceAll('0', '').length;

  it('the next TDES counter is the nearest legal one', () => {
    check(
      fc.property(fc.integer({ min: 0, max: 0x1fffff }), (counter) => {
        const ksn = Buffer.from('FFFF9876543210E00000', 'hex');
        ksn.writeUInt32BE((0x10e00000 | counter) >>> 0, 6);
        let nearest = counter + 1;
        while (ones(nearest) > 10) nearest += 1;
        const refusal = refusalOf(() => expect(tdesCounter(advanceKsn(ksn))).toBe(nearest));
        expect(refusal).toBe(nearest > 0x1fffff ? 'counterExhausted' : undefined);
      }),
    );
  });

  it('the next AES counter is legal and above', () => {
    check(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (counter) => {
        const ksn = Buffer.alloc(12);
        ksn.writeUInt32BE(counter, 8);
        const refusal = refusalOf(() => {
          const next = aesCounter(advanceAesKsn(ksn));
          expect(next).toBeGreaterThan(counter);
          expect(ones(next)).toBeLessThanOrEqual(16);
        });
        expect(refusal).toBe(counter >= 0xffff0000 ? 'counterExhausted' : undefined);
      }),
    );
  });
});

describe('sealing and padding', () => {
  it('open reverses seal; one changed bit anywhere is refused', () => {
    check(
      fc.property(
        bytes(32),
        bytes(12),
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.nat(127),
        (key, iv, aad, clear, bit) => {
          const sealed = gcmSeal(key, iv, aad, clear);
          expect(toHex(gcmOpen(key, iv, aad, sealed))).toBe(toHex(clear));
          const tagBytes = Buffer.from(sealed.tag);
          tagBytes[bit >>> 3] = (tagBytes[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
          expect(refusalOf(() => gcmOpen(key, iv, aad, { ...sealed, tag: tagBytes }))).toBe('badTag');
          expect(refusalOf(() => gcmOpen(key, iv, aad, { ...sealed, tag: tagBytes.subarray(4) }))).toBe(
            'badTagLength',
          );
        },
      ),
    );
  });

  it('unpadding reverses padding', () => {
    check(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(8, 16), (data, block) => {
        const padded = padBit(data, block);
        expect(padded.length % block).toBe(0);
        expect(toHex(unpadBit(padded))).toBe(toHex(data));
      }),
    );
  });
});

describe('ISO 8583', () => {
  const lengths = fc.constantFrom<0 | 2 | 3>(0, 2, 3);
  const lengthEncoding = fc.constantFrom<'ascii' | 'bcd'>('ascii', 'bcd');
  const field = fc
    .record({ units: fc.integer({ min: 1, max: 40 }), lengths, lengthEncoding })
    .chain(({ units, lengths: lengthDigits, lengthEncoding: of }) => {
      const spec = { lengthDigits, lengthEncoding: of, maxLength: units, pad: 'leftZero' } as const;
      const hexText = bytes(units).map(toHex);
      return fc.oneof(
        digits(units, units).map((value) => [{ ...spec, encoding: 'bcd' } as FieldSpec, value] as const),
        digits(units, units).map((value) => [{ ...spec, encoding: 'ascii' } as FieldSpec, value] as const),
        hexText.map((value) => [{ ...spec, encoding: 'binary' } as FieldSpec, value] as const),
        hexText.map((value) => [{ ...spec, encoding: 'asciiHex' } as FieldSpec, value] as const),
      );
    });
  const message = fc.record({
    mtiEncoding: fc.constantFrom('ascii' as const, 'bcd' as const),
    bitmapEncoding: fc.constantFrom('binary' as const, 'asciiHex' as const),
    fields: fc.dictionary(fc.integer({ min: 2, max: 128 }).map(String), field, { maxKeys: 6 }),
  });

  it('unpack reverses pack, and every cut is refused', () => {
    check(
      fc.property(message, fc.nat(), ({ mtiEncoding, bitmapEncoding, fields }, cut) => {
        const entries = Object.entries(fields);
        const spec: MessageSpec = {
          mtiEncoding,
          bitmapEncoding,
          fields: Object.fromEntries(entries.map(([number, [of]]) => [number, of])),
        };
        const sent = {
          mti: '0100',
          fields: Object.fromEntries(entries.map(([number, [, value]]) => [number, value])),
        };
        const packed = packMessage(spec, sent);
        expect(unpackMessage(spec, packed)).toEqual(sent);
        expect(refusalOf(() => unpackMessage(spec, packed.subarray(0, cut % packed.length)))).toBe(
          'truncated',
        );
        expect(refusalOf(() => unpackMessage(spec, Buffer.concat([packed, Buffer.alloc(1)])))).toBe(
          'trailing',
        );
      }),
    );
  });
});
