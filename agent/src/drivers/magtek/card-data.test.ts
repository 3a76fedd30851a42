import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { CARD_TYPES, FALLBACK_INDICATORS } from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import { describe, expect, test } from 'vitest';
import { finalOutcome } from '../core/emv-data.js';
import { isFailed } from '../core/result.js';
import { cryptogramOf, type DeviceObject, finalObjects, readCard, readObject } from './card-data.js';
import {
  EXAMPLE_KSN,
  exampleEnciphered,
  exampleObject,
  exampleRequest,
} from './object-example.test.support.js';

const CHIP = [
  tlv('9F26', fromHex('0102030405060708')),
  tlv('9F27', Buffer.of(0x80)),
  tlv('5F24', fromHex('311231')),
  tlv('5F34', Buffer.of(1)),
  tlv('84', fromHex('A0000000031010')),
  tlv('50', Buffer.from('VISA')),
];
const TRACK = tlv('DFDF4D', Buffer.from(';420000******0075=**************?'));

function request(cardType: number, fallback: number, objects: readonly TlvNode[] = CHIP): DeviceObject {
  return read(exampleRequest(cardType, fallback, [...objects, TRACK]));
}

function read(bytes: Uint8Array): DeviceObject {
  const object = readObject(bytes);
  if (isFailed(object)) throw new Error(object.detail);
  return object;
}

describe('card data', () => {
  test('are the whole object, what the agent may know, and the chip’s own objects', () => {
    const object = request(CARD_TYPES.contact, FALLBACK_INDICATORS.none);
    const card = readCard(object, 'contact');
    if (isFailed(card)) throw new Error(card.detail);
    expect(card.facts).toEqual({
      entryMode: 'ICC',
      bin: '420000',
      last4Digits: '0075',
      expiry: '3112',
      panSequenceNumber: '01',
      aid: 'A0000000031010',
      label: 'VISA',
    });
    expect(card.sred).toEqual({ data: object.bytes, ksn: EXAMPLE_KSN });
    expect(toHex(card.iccData)).toContain('9F260801020304050607089F270180');
    expect(cryptogramOf(object)).toBe('0102030405060708');
  });

  const { none, technical, magstripe } = FALLBACK_INDICATORS;
  test.each([
    [CARD_TYPES.contactless, none, 'NFC_ICC'],
    [CARD_TYPES.contactlessMagstripe, none, 'NFC_MAGSTRIPE'],
    [CARD_TYPES.magstripe, none, 'MAGSTRIPE'],
    [CARD_TYPES.magstripeOfChipCard, none, 'MAGSTRIPE'],
    [CARD_TYPES.magstripeOfChipCard, technical, 'MAGSTRIPE_AS_FALLBACK'],
    [CARD_TYPES.magstripe, magstripe, 'MAGSTRIPE_AS_FALLBACK'],
    [CARD_TYPES.manual, none, 'MANUAL'],
  ])('of card type %i with fallback %i are %s', (cardType, fallback, entryMode) => {
    const card = readCard(request(cardType, fallback), 'none');
    expect(card).toMatchObject({ facts: { entryMode } });
    if (!('kind' in card)) expect(card.iccData.length > 0).toBe(entryMode === 'NFC_ICC');
  });

  const onlinePinTvr = tlv('95', fromHex('0000040000'));
  const serviceCode = (code: string) => tlv('5F30', fromHex(code));
  const outcome = (verification: string) => tlv('DF29', fromHex(`30F0F0${verification}00F0FF00`));
  test.each<[string, number, readonly TlvNode[], boolean | undefined]>([
    ['a chip that was given one', CARD_TYPES.contact, [...CHIP, onlinePinTvr], true],
    ['a chip that was not', CARD_TYPES.contact, [...CHIP, tlv('95', fromHex('0000008000'))], undefined],
    ['a tap with one', CARD_TYPES.contactless, [...CHIP, outcome('20')], true],
    ['a tap without', CARD_TYPES.contactless, [...CHIP, outcome('F0')], undefined],
    ['a tap without an outcome', CARD_TYPES.contactless, CHIP, true],
    ['a magstripe that requires one', CARD_TYPES.magstripe, [serviceCode('0126')], true],
    ['a magstripe that does not', CARD_TYPES.magstripe, [serviceCode('0101')], undefined],
    ['a magstripe without a service code', CARD_TYPES.magstripe, [], true],
    ['a card number that was keyed in', CARD_TYPES.manual, [], undefined],
  ])('say whether a PIN may lie inside: %s', (_, cardType, objects, pinInside) => {
    const card = readCard(request(cardType, none, objects), 'none');
    expect('kind' in card ? card : card.pinInside).toBe(pinInside);
  });

  test('of a driving licence are none', () => {
    expect(readCard(request(CARD_TYPES.aamva, none), 'magstripe')).toMatchObject({ failure: 'card-error' });
  });

  test('of a card that ended without the issuer stand in the batch data', () => {
    const results = tlv('F0', [exampleEnciphered(), tlv('F7', [TRACK])]);
    const end = CHIP.map((node) => (node.tag === '9F27' ? tlv('9F27', Buffer.of(0x40)) : node));
    const batch = read(exampleObject([results], [tlv('F2', end)]));
    expect(readCard(batch, 'contact')).toMatchObject({ facts: { entryMode: 'ICC', last4Digits: '0075' } });
    expect(readCard(batch, 'contactless')).toMatchObject({ facts: { entryMode: 'NFC_ICC' } });
    const final = finalOutcome('approved', finalObjects(batch));
    expect('iccData' in final && toHex(final.iccData)).toBe('9F260801020304050607089F270140');
  });

  test('longer than a field are refused before anything is sent', () => {
    const long = request(CARD_TYPES.contact, none, [tlv('9F7C', Buffer.alloc(1_000))]);
    expect(readCard(long, 'contact')).toMatchObject({ failure: 'data-too-long' });
    const icc = request(CARD_TYPES.contact, none, [...CHIP, tlv('5A', Buffer.alloc(8))]);
    const card = readCard(icc, 'contact');
    // Whatever a device is set to: the account never stands in what is sent in clear.
    expect('kind' in card ? '' : toHex(card.iccData)).not.toContain('5A08');
  });

  test('that are damaged or missing are a fault of the protocol', () => {
    expect(readObject(undefined)).toMatchObject({ failure: 'protocol-error' });
    expect(readObject(Buffer.alloc(40))).toMatchObject({ failure: 'protocol-error' });
    const bare = read(exampleObject([tlv('70', [...CHIP, tlv('DFDF52', Buffer.of(CARD_TYPES.contact))])]));
    expect(readCard(bare, 'contact')).toMatchObject({ failure: 'protocol-error' });
  });
});
