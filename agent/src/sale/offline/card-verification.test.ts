import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { expect, test } from 'vitest';
import type { CardData } from '../../drivers/core/driver.js';
import { cardholderVerdict } from './card-verification.js';

const NO_PIN = encodeTlv([tlv('95', fromHex('0000008000')), tlv('9F34', fromHex('1F0002'))]);
const sred = { data: Buffer.alloc(16), ksn: Buffer.alloc(10) };
const card: CardData = { facts: { entryMode: 'NFC_ICC' }, iccData: NO_PIN, sred };

test('a PIN for the issuer counts wherever its block lies', () => {
  expect(cardholderVerdict(card)).toBe('none');
  expect(cardholderVerdict({ ...card, pin: sred })).toBe('online-pin');
  expect(cardholderVerdict({ ...card, pinInside: true })).toBe('online-pin');
  expect(cardholderVerdict({ ...card, pinInside: false })).toBe('none');
});

test('a tap whose data cannot be read was not verified by a device', () => {
  expect(cardholderVerdict({ ...card, iccData: fromHex('9F36FF') })).toBe('none');
});
