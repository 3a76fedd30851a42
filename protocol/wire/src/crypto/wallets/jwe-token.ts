import type { KeyObject } from 'node:crypto';
import { compactDecrypt, compactVerify, errors } from 'jose';
import { CryptoError } from '../ciphers/errors.js';
import { parseObject, TOKEN_TEXT_MAX_LENGTH, type TokenObject } from './token-json.js';

/** Algorithms that this wallet's tokens may name; everything else is refused, `none` and RSA1_5 above all. */
const SIGNATURE_ALGORITHMS = ['ES256', 'RS256', 'PS256'];
const KEY_ALGORITHMS = ['RSA-OAEP', 'RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A256KW'];
const CONTENT_ALGORITHMS = ['A128GCM', 'A256GCM'];

/** What a token is judged against; nothing of it comes from the token. */
interface JweTrust {
  /** The wallet's signing keys, tried in turn. */
  readonly signingKeys: readonly KeyObject[];
  /** The merchant's private keys, tried in turn. */
  readonly merchantPrivateKeys: readonly KeyObject[];
  readonly nowMs: number;
}

/**
 * Opens a signed and enciphered token: a JWS (RFC 7515) whose payload is a JWE (RFC 7516) whose plaintext is a JSON object with `exp` in
 * seconds. Checked in this order: signature, key and tag, expiry. Nothing is deciphered before the signature stands.
 * @param token compact serialisation
 * @throws CryptoError badSignature, badVersion, unknownKey, badTag, expiredMessage, malformed
 */
export async function openJweToken(token: string, trust: JweTrust): Promise<TokenObject> {
  if (token.length > TOKEN_TEXT_MAX_LENGTH) throw new CryptoError('malformed', 'token is too long');
  const jwe = await verified(token, trust);
  const payload = parseObject(await decrypted(jwe, trust), 'payload');
  const { exp } = payload;
  if (typeof exp !== 'number') throw new CryptoError('malformed', 'exp is not a number');
  if (trust.nowMs >= exp * 1000) throw new CryptoError('expiredMessage');
  return payload;
}

async function verified(token: string, trust: JweTrust): Promise<string> {
  for (const key of trust.signingKeys) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: SIGNATURE_ALGORITHMS });
      return Buffer.from(payload).toString('latin1');
    } catch (error) {
      if (error instanceof errors.JWSInvalid) throw new CryptoError('malformed', 'token is no compact JWS');
      // Another key may have signed it; a key of another type cannot have.
      if (!(error instanceof errors.JOSEError) && !(error instanceof TypeError)) throw error;
    }
  }
  throw new CryptoError('badSignature');
}

async function decrypted(jwe: string, trust: JweTrust): Promise<string> {
  for (const key of trust.merchantPrivateKeys) {
    try {
      const { plaintext } = await compactDecrypt(jwe, key, {
        keyManagementAlgorithms: KEY_ALGORITHMS,
        contentEncryptionAlgorithms: CONTENT_ALGORITHMS,
      });
      return Buffer.from(plaintext).toString('utf8');
    } catch (error) {
      if (error instanceof errors.JWEInvalid) throw new CryptoError('malformed', 'content is no compact JWE');
      if (error instanceof errors.JOSEAlgNotAllowed) throw new CryptoError('badVersion', 'algorithm');
      if (!(error instanceof errors.JOSEError) && !(error instanceof TypeError)) throw error;
    }
  }
  throw new CryptoError(trust.merchantPrivateKeys.length === 0 ? 'unknownKey' : 'badTag');
}
