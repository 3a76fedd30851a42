import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Bytes of the fingerprint of a key: no second key with the same one can be found. */
export const FINGERPRINT_BYTES = 16;

/** The public half of a key as SubjectPublicKeyInfo in DER. */
export function spkiOf(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** Keys that are remembered: a handshake uses the same few several times. Beyond this number all are forgotten. */
const MOST_REMEMBERED = 1_000;
/** By their SubjectPublicKeyInfo, in base64; those of Ed25519 alone, which are short. */
const REMEMBERED = new Map<string, KeyObject>();

/** The Ed25519 public key of a SubjectPublicKeyInfo in DER; undefined for anything else. */
export function identityKeyOf(spki: Uint8Array): KeyObject | undefined {
  const name = Buffer.from(spki).toString('base64');
  const key = REMEMBERED.get(name) ?? readKey(spki);
  if (REMEMBERED.size >= MOST_REMEMBERED) REMEMBERED.clear();
  if (key) REMEMBERED.set(name, key);
  return key;
}

function readKey(spki: Uint8Array): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The first {@link FINGERPRINT_BYTES} of the SHA-256 of a SubjectPublicKeyInfo. */
export function keyFingerprint(spki: Uint8Array): Uint8Array {
  return createHash('sha256').update(spki).digest().subarray(0, FINGERPRINT_BYTES);
}

/** Signs with an Ed25519 private key; 64 bytes. */
export function signBytes(bytes: Uint8Array, privateKey: KeyObject): Uint8Array {
  return sign(null, bytes, privateKey);
}

/** True when the signature is that of the bytes under this Ed25519 public key; false for another kind of key. */
export function isSignedBy(bytes: Uint8Array, signature: Uint8Array, publicKey: KeyObject): boolean {
  return publicKey.asymmetricKeyType === 'ed25519' && verify(null, bytes, publicKey, signature);
}
