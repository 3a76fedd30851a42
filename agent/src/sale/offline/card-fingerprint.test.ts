import { describe, expect, it } from 'vitest';
import type { CardFacts } from '../../drivers/core/driver.js';
import { cardFingerprints, fingerprintKey, maybeSameCard } from './card-fingerprint.js';

const KEY = Buffer.alloc(32, 1);
const fingerprint = cardFingerprints(KEY);
const card: CardFacts = {
  entryMode: 'ICC',
  bin: '476173',
  last4Digits: '0119',
  expiry: '3112',
  panSequenceNumber: '01',
};
const PAR = 'V0010013020000000000000000042';

describe('card fingerprints', () => {
  it('are of the payment account, however its card was read', () => {
    const inserted = fingerprint({ ...card, paymentAccountReference: PAR });
    const phone = fingerprint({
      entryMode: 'NFC_ICC',
      last4Digits: '7777',
      expiry: '2912',
      paymentAccountReference: PAR,
    });
    expect(phone).toBe(inserted);
    expect(fingerprint({ ...card, paymentAccountReference: `${PAR.slice(0, -1)}3` })).not.toBe(inserted);
  });

  it('are of what else is known where there is no such reference', () => {
    expect(fingerprint({ ...card, entryMode: 'NFC_ICC', label: 'VISA' })).toBe(fingerprint(card));
    const others: Partial<CardFacts>[] = [
      { bin: '476174' },
      { last4Digits: '0120' },
      { expiry: '3111' },
      { panSequenceNumber: '02' },
    ];
    const all = [card, ...others.map((other) => ({ ...card, ...other }))].map(fingerprint);
    expect(new Set(all).size).toBe(all.length);
    const { panSequenceNumber: _none, ...bare } = card;
    expect(fingerprint({ ...card, panSequenceNumber: '00' })).toBe(fingerprint(bare));
  });

  it('tell nothing of the card without the key, and differ under another one', () => {
    expect(fingerprint(card)).toMatch(/^[0-9a-f]{8}\.[0-9a-f]{32}$/);
    expect(fingerprint(card)).not.toContain('0119');
    expect(cardFingerprints(Buffer.alloc(32, 2))(card).split('.')).not.toEqual(fingerprint(card).split('.'));
    expect(() => cardFingerprints(Buffer.alloc(16))).toThrow(/32 bytes/);
  });

  it('may be of any card where one is missing or of another key', () => {
    const own = fingerprint(card);
    expect(maybeSameCard(own, fingerprint(card))).toBe(true);
    expect(maybeSameCard(own, fingerprint({ ...card, bin: '400000' }))).toBe(false);
    expect(maybeSameCard(own, undefined)).toBe(true);
    expect(maybeSameCard(own, cardFingerprints(Buffer.alloc(32, 2))(card))).toBe(true);
  });

  it('have a separate key out of the key file', () => {
    const key = fingerprintKey(KEY);
    expect(key).toHaveLength(32);
    expect(Buffer.from(key)).not.toEqual(KEY);
    expect(fingerprintKey(KEY)).toEqual(key);
  });
});
