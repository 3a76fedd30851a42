import { createHmac, hash, type KeyObject } from 'node:crypto';

/**
 * What stands in the table in place of a token: HMAC-SHA-256 under a separate key, hex. Looking a token up by it reveals nothing to an attacker
 * who measures time, and a stolen table reveals nothing either.
 */
export function accessTokenHash(key: KeyObject, token: string): string {
  return createHmac('sha256', key).update('access token\0').update(token).digest('hex');
}

/** Tokens whose hashes are remembered at most; beyond it all are forgotten. */
const MAX_KNOWN = 1_000;

/**
 * {@link accessTokenHash}, remembered: an HMAC costs three times as much as the plain hash by which it is found again. No token is kept. A token
 * has as many random bits as that hash, so neither it nor the time of the search helps to find one. Its row decides whether a token is good, each
 * time.
 */
export function accessTokenHashes(key: KeyObject): (token: string) => string {
  const known = new Map<string, string>();
  return (token) => {
    const print = hash('sha256', token);
    const before = known.get(print);
    if (before !== undefined) return before;
    if (known.size >= MAX_KNOWN) known.clear();
    const keyed = accessTokenHash(key, token);
    known.set(print, keyed);
    return keyed;
  };
}
