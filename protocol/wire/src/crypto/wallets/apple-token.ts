import { createDecipheriv, createHash, type KeyObject } from 'node:crypto';
import { wipe } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { verifyAppleSignature } from './apple-signature.js';
import { merchantPrivateKey, p256PublicKey, publicSpki, sharedSecret } from './ec-keys.js';
import { base64Field, objectField, parseObject, type TokenObject, textField } from './token-json.js';

/** The version of this scheme. */
const VERSION = 'EC_v1';
/** A signature older than this is a token kept back or played again. */
export const APPLE_SIGNATURE_MAX_AGE_MS = 5 * 60_000;
/** Clocks of signer and judge may differ by this much. */
export const APPLE_CLOCK_TOLERANCE_MS = 60_000;

const TAG_BYTES = 16;

/** A merchant's own material. */
interface AppleMerchant {
  /** SHA-256 of the merchant identifier, 32 bytes: certificate extension 1.2.840.113635.100.6.32. */
  readonly merchantIdHash: Uint8Array;
  /** Private keys, PKCS#8 DER; the token names one by the hash of its public half. */
  readonly privateKeys: readonly Uint8Array[];
}

/** What a token is judged against; nothing of it comes from the token. */
interface AppleTrust extends AppleMerchant {
  /** Root certificates, DER. */
  readonly trustAnchors: readonly Uint8Array[];
  /** The time of judgement; without it nothing expires. */
  readonly nowMs: number | undefined;
}

/** An opened token. Secret and key are for the owner of the vectors only: wipe them. */
export interface AppleOpened {
  readonly sharedSecret: Buffer;
  readonly symmetricKey: Buffer;
  readonly payment: TokenObject;
}

/**
 * Verifies a token of the Apple-style scheme and opens it. Checked in this order: version; chain and certificate expiry; signature;
 * recipient key; tag; freshness of the signing time. Nothing is deciphered before the signature stands.
 * @throws CryptoError badVersion, badChain, expiredKey, badSignature, unknownKey, badTag, expiredMessage, malformed
 */
export function openAppleToken(token: TokenObject, trust: AppleTrust): AppleOpened {
  if (token.version !== VERSION) throw new CryptoError('badVersion', `expected ${VERSION}`);
  const signature = base64Field(token, 'signature');
  const { signingTimeMs } = verifyAppleSignature(signature, signedContent(token), trust);
  const opened = openUnverifiedAppleToken(token, trust);
  const ageMs = trust.nowMs === undefined ? 0 : trust.nowMs - signingTimeMs;
  if (ageMs > APPLE_SIGNATURE_MAX_AGE_MS || ageMs < -APPLE_CLOCK_TOLERANCE_MS) {
    wipe(opened.sharedSecret, opened.symmetricKey);
    throw new CryptoError('expiredMessage', 'signing time');
  }
  return opened;
}

/** Signed are ephemeral key, data, transaction id, and application data where there are any. */
function signedContent(token: TokenObject): Buffer {
  const header = objectField(token, 'header');
  const applicationData = header.applicationData === undefined ? [] : [hexField(header, 'applicationData')];
  return Buffer.concat([
    base64Field(header, 'ephemeralPublicKey'),
    base64Field(token, 'data'),
    hexField(header, 'transactionId'),
    ...applicationData,
  ]);
}

function hexField(token: TokenObject, name: string): Buffer {
  const text = textField(token, name);
  if (!/^(?:[0-9A-Fa-f]{2})*$/.test(text)) throw new CryptoError('malformed', `${name} is not hex`);
  return Buffer.from(text, 'hex');
}

/**
 * The inner step alone: key agreement, key derivation, GCM. NOT for tokens from outside, whose signature must be verified first by
 * `openAppleToken`; reachable so that test vectors can check it.
 * @throws CryptoError unknownKey, badTag, malformed
 */
export function openUnverifiedAppleToken(token: TokenObject, merchant: AppleMerchant): AppleOpened {
  const header = objectField(token, 'header');
  const privateKey = requireKey(merchant, base64Field(header, 'publicKeyHash'));
  const ephemeral = p256PublicKey(base64Field(header, 'ephemeralPublicKey'), 'ephemeralPublicKey');
  const secret = sharedSecret(privateKey, ephemeral);
  const symmetricKey = deriveKey(secret, merchant.merchantIdHash);
  try {
    const text = decrypt(symmetricKey, base64Field(token, 'data'));
    return { sharedSecret: secret, symmetricKey, payment: parseObject(text, 'payment') };
  } catch (error) {
    wipe(secret, symmetricKey);
    throw error;
  }
}

function requireKey(merchant: AppleMerchant, wanted: Uint8Array): KeyObject {
  for (const pkcs8 of merchant.privateKeys) {
    const key = merchantPrivateKey(pkcs8);
    if (createHash('sha256').update(publicSpki(key)).digest().equals(wanted)) return key;
  }
  throw new CryptoError('unknownKey');
}

/** Single-step key derivation (NIST SP 800-56C §4) with SHA-256 and the scheme's party information. */
function deriveKey(secret: Uint8Array, merchantIdHash: Uint8Array): Buffer {
  const algorithm = Buffer.from('\x0did-aes256-GCM', 'latin1');
  return createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(secret)
    .update(algorithm)
    .update('Apple')
    .update(merchantIdHash)
    .digest();
}

function decrypt(key: Uint8Array, data: Uint8Array): string {
  if (data.length < TAG_BYTES) throw new CryptoError('badTag', 'data shorter than a tag');
  const cut = data.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(16), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(data.subarray(cut));
  const clear = decipher.update(data.subarray(0, cut));
  try {
    decipher.final();
  } catch {
    wipe(clear);
    throw new CryptoError('badTag');
  }
  const text = clear.toString('utf8');
  wipe(clear);
  return text;
}
