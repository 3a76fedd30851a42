import { createHmac, type KeyObject } from 'node:crypto';
import type { Random } from '@tillbridge/protocol/seams/random.js';

/** What a token may be used for. */
export const TOKEN_RIGHTS = ['payments', 'simulator:read'] as const;
/** One right. */
export type TokenRight = (typeof TOKEN_RIGHTS)[number];

/** Random bytes of a token: 256 bits, nobody guesses one. */
const TOKEN_BYTES = 32;

/** A fresh access token: letters, digits, hyphen and underscore behind a prefix by which secret scanners know it. */
export function newAccessToken(random: Random): string {
  return `tb_${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`;
}

/**
 * What stands in the table in place of a token: HMAC-SHA-256 under a key of its own, hex. Looking a token up by it tells an attacker who
 * measures time nothing, and a stolen table nothing either.
 */
export function accessTokenHash(key: KeyObject, token: string): string {
  return createHmac('sha256', key).update('access token\0').update(token).digest('hex');
}
