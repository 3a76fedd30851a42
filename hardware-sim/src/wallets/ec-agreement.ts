import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Bytes of an uncompressed point of P-256; an SPKI ends with it. */
const POINT_BYTES = 65;

/** A key made for one token, and the secret that it shares with the receiver. */
interface Agreement {
  /** SPKI DER. */
  readonly spki: Buffer;
  /** Uncompressed. */
  readonly point: Buffer;
  readonly secret: Buffer;
}

/** Agrees on a secret with the holder of a key. */
export function agreeWith(publicKey: KeyObject): Agreement {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = pair.publicKey.export({ format: 'der', type: 'spki' });
  return {
    spki,
    point: spki.subarray(-POINT_BYTES),
    secret: diffieHellman({ privateKey: pair.privateKey, publicKey }),
  };
}

/** The merchant's key, or another merchant's where the token is to be for that one. */
export function receiverOf(merchantKey: Uint8Array, isForAnother: boolean): KeyObject {
  if (isForAnother) return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;
  return createPublicKey({ key: Buffer.from(merchantKey), format: 'der', type: 'spki' });
}
