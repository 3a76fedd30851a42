import { createHmac } from 'node:crypto';
import { equalConstantTime } from '../bytes.js';
import type { Money } from '../payment/money.js';

/**
 * What a cardholder authentication verification value is made for. The schemes have their own algorithms (CVN 18 of EMV, the AAV of
 * SPA2); this one is the simulated issuer's: 20 bytes, the first four in clear.
 *
 * | bytes | |
 * |---|---|
 * | 1 | result: 00 authenticated, 07 attempted |
 * | 2 | index of the issuer's key |
 * | 3–4 | `TB`: whose value it is |
 * | 5–20 | the first 16 bytes of HMAC-SHA-256 over bytes 1 to 4, card number, directory server's transaction id, amount in minor units and currency |
 */
export interface AuthenticatedFor {
  readonly pan: string;
  readonly dsTransId: string;
  /** Non-payment authentication: zero of no currency. */
  readonly amount: Money;
}

/** Index of the only key of the simulated issuer. */
const KEY_INDEX = 1;
const RESULTS = { authenticated: 0x00, attempted: 0x07 } as const;
const ISSUER = Buffer.from('TB');
const HEAD_BYTES = 4;
const MAC_BYTES = 16;

/** How an authentication ended well: by the issuer's judgement, or because it was tried. */
export type CavvResult = keyof typeof RESULTS;

/** The value in base64, 28 characters. */
export function makeCavv(key: Uint8Array, result: CavvResult, about: AuthenticatedFor): string {
  const head = Buffer.from([RESULTS[result], KEY_INDEX, ...ISSUER]);
  return Buffer.concat([head, mac(key, head, about)]).toString('base64');
}

/** The content of the value; undefined when it was not made by the key for exactly this. Compares in constant time. */
export function verifyCavv(key: Uint8Array, cavv: string, about: AuthenticatedFor): CavvResult | undefined {
  const bytes = bytesOf(cavv);
  if (!bytes) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!equalConstantTime(bytes.subarray(HEAD_BYTES), mac(key, head, about))) return undefined;
  if (head[1] !== KEY_INDEX) return undefined;
  return head[0] === RESULTS.authenticated
    ? 'authenticated'
    : head[0] === RESULTS.attempted
      ? 'attempted'
      : undefined;
}

/** Does the value name the simulated issuer as its maker? Values of other issuers do not. */
export function isOfSimulatedIssuer(cavv: string): boolean {
  return bytesOf(cavv)?.subarray(2, HEAD_BYTES).equals(ISSUER) === true;
}

/** The value's bytes; undefined where it is none. */
function bytesOf(cavv: string): Buffer | undefined {
  const bytes = Buffer.from(cavv, 'base64');
  return bytes.length === HEAD_BYTES + MAC_BYTES && bytes.toString('base64') === cavv ? bytes : undefined;
}

function mac(key: Uint8Array, head: Uint8Array, { pan, dsTransId, amount }: AuthenticatedFor): Buffer {
  const parts = [pan, dsTransId.toLowerCase(), String(amount.minor), amount.currency];
  return createHmac('sha256', key).update(head).update(parts.join('\0')).digest().subarray(0, MAC_BYTES);
}
