import { createHmac, type KeyObject } from 'node:crypto';

/**
 * The same 64 lowercase hex digits for the same text of the same kind, and nothing else to learn from them.
 * @param kind what the text is, so that two kinds of text never meet
 */
export type Fingerprint = (
  kind:
    | 'card'
    | 'message'
    | 'payment'
    | 'intent'
    | 'account data'
    | 'shopper'
    | 'registration'
    | 'wallet token'
    | 'idempotent request'
    | 'risk'
    | 'search'
    | 'authentication value'
    | 'guessed value'
    | 'shared key'
    | 'use'
    | 'session'
    | 'invitation'
    | 'recovery code',
  text: string,
) => string;

/** Fingerprints under a key (HMAC-SHA-256): a plain hash of a card number is soon tried out. */
export function keyedFingerprint(key: KeyObject): Fingerprint {
  return (kind, text) => createHmac('sha256', key).update(`${kind}\0`).update(text).digest('hex');
}
