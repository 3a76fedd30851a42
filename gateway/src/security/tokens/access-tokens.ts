import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fromHex, withSecret } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { contextOf, seal, unseal } from '../keys/sealing.js';

/** Random bytes of a token: 256 bits cannot be guessed. */
const TOKEN_BYTES = 32;

/** A fresh access token: letters, digits, hyphen and underscore behind a prefix by which secret scanners know it. */
export function newAccessToken(random: Random): string {
  return `tb_${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`;
}

/** A token as it is kept to be shown again: sealed under a key derived from that of the hashes, for this id alone; hex. */
export function sealAccessToken(key: KeyObject, id: string, token: string, random: Random): string {
  return seal(sealingKey(key), contextOf('access token', id), Buffer.from(token), random).toString('hex');
}

/**
 * The token of {@link sealAccessToken}.
 * @throws CryptoError when the seal is another id's, another key's or damaged
 */
export function openAccessToken(key: KeyObject, id: string, sealed: string): string {
  const clear = unseal(sealingKey(key), contextOf('access token', id), fromHex(sealed));
  return withSecret(clear, (bytes) => bytes.toString('utf8'));
}

function sealingKey(key: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'access token sealing', 32)));
}
