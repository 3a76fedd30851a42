import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { CryptoError } from '../ciphers/errors.js';

/** The curve of these schemes. */
const CURVE = 'prime256v1';
/** SPKI of an uncompressed point of P-256 up to the point (RFC 5480). */
const P256_SPKI_PREFIX = Buffer.from('3059301306072A8648CE3D020106082A8648CE3D030107034200', 'hex');
const POINT_BYTES = 65;

/**
 * A private key out of PKCS#8 DER.
 * @throws CryptoError badArgument; the bytes are not shown
 */
export function merchantPrivateKey(pkcs8: Uint8Array): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve === CURVE) return key;
  } catch {
    // Falls through to the one error that reveals nothing of the bytes.
  }
  throw new CryptoError('badArgument', 'the merchant key is no P-256 key in PKCS#8');
}

/**
 * A public key out of SPKI DER.
 * @throws CryptoError malformed
 */
export function p256PublicKey(spki: Uint8Array, name: string): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    if (key.asymmetricKeyDetails?.namedCurve === CURVE) return key;
  } catch {
    // Falls through: not a key, or not a point of the curve.
  }
  throw new CryptoError('malformed', `${name} is no P-256 public key`);
}

/**
 * A public key out of its uncompressed point.
 * @throws CryptoError malformed
 */
export function p256FromPoint(point: Uint8Array, name: string): KeyObject {
  if (point.length !== POINT_BYTES) throw new CryptoError('malformed', `${name} is no uncompressed point`);
  return p256PublicKey(Buffer.concat([P256_SPKI_PREFIX, point]), name);
}

/** The shared secret, 32 bytes; the caller wipes it. */
export function sharedSecret(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  return diffieHellman({ privateKey, publicKey });
}

/** SPKI DER of the public half of a key. */
export function publicSpki(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' });
}
