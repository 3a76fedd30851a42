import { createHmac } from 'node:crypto';
import type { CardFacts } from '../../drivers/core/driver.js';

/** Distinguishes one card from another without its number: `KEY.HASH`, both hex. */
export type CardFingerprint = string;

/** Gives the fingerprint of a card. */
export type FingerprintCard = (facts: CardFacts) => CardFingerprint;

/** Bytes of the key. */
export const FINGERPRINT_KEY_BYTES = 32;

const KEY_DIGITS = 8;
const HASH_DIGITS = 32;

/**
 * Fingerprints under a key: HMAC-SHA-256 of the payment account reference (tag 9F24), else of bin, last four digits,
 * expiry and sequence number, of which two cards may share all: a collision only tightens the limits.
 * The key's own hash stands in front, so that fingerprints of another key are known as such.
 * @throws RangeError when the key has another length
 */
export function cardFingerprints(key: Uint8Array): FingerprintCard {
  if (key.length !== FINGERPRINT_KEY_BYTES) {
    throw new RangeError(`fingerprint key must have ${FINGERPRINT_KEY_BYTES} bytes`);
  }
  const hash = (text: string) => createHmac('sha256', key).update(text).digest('hex');
  const keyName = hash('key').slice(0, KEY_DIGITS);
  return (facts) => `${keyName}.${hash(identity(facts)).slice(0, HASH_DIGITS)}`;
}

/** The fingerprint key that belongs to a file key: a separate use of it, from which it cannot be found. */
export function fingerprintKey(fileKey: Uint8Array): Uint8Array {
  return createHmac('sha256', fileKey).update('tillbridge card fingerprint 1').digest();
}

/**
 * Whether two fingerprints may be of one card. One that is missing, or of another key, may be any card's: who cannot
 * tell must not be generous.
 */
export function maybeSameCard(one: CardFingerprint | undefined, other: CardFingerprint | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return true;
  return keyOf(one) !== keyOf(other);
}

function identity(facts: CardFacts): string {
  const { paymentAccountReference, bin, last4Digits, expiry, panSequenceNumber } = facts;
  if (paymentAccountReference) return JSON.stringify(['9F24', paymentAccountReference]);
  // A sequence number of zero and none at all are the same card's.
  const sequence = Number(panSequenceNumber ?? 0);
  return JSON.stringify(['card', bin ?? '', last4Digits ?? '', expiry ?? '', sequence]);
}

function keyOf(fingerprint: CardFingerprint): string {
  return fingerprint.slice(0, fingerprint.indexOf('.'));
}
