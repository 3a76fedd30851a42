import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';

/** A public key as EMV cards and tables carry it: big-endian bytes. */
export interface RsaPublicKey {
  readonly modulus: Uint8Array;
  readonly exponent: Uint8Array;
}

/** Modulus lengths that EMV allows (Book 2 §5.1, Annex D): at most 248 bytes; below 64 nothing real exists. */
const MIN_MODULUS_BYTES = 64;
const MAX_MODULUS_BYTES = 256;

/**
 * The recovery function of EMV Book 2 A2.1: the signature to the power of the public exponent. `undefined` where no recovery is possible
 * (length differs from the modulus, or the modulus is of no permitted length): every caller has its own error for that.
 */
export function rsaRecover(key: RsaPublicKey, signature: Uint8Array): Buffer | undefined {
  const { modulus, exponent } = key;
  if (modulus.length < MIN_MODULUS_BYTES || modulus.length > MAX_MODULUS_BYTES) return undefined;
  if (signature.length !== modulus.length || exponent.length === 0 || exponent.length > 3) return undefined;
  try {
    const keyObject = importKey(key);
    return publicEncrypt({ key: keyObject, padding: constants.RSA_NO_PADDING }, signature);
  } catch {
    // OpenSSL refuses a signature that is not below the modulus, an even modulus and the like.
    return undefined;
  }
}

function importKey({ modulus, exponent }: RsaPublicKey): KeyObject {
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  return createPublicKey({
    key: { kty: 'RSA', n: base64url(modulus), e: base64url(exponent) },
    format: 'jwk',
  });
}
