import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isPinSet, NO_TLS, nextPins, tlsPinOf } from './gateway-pins.js';
import { spkiOf } from './identity-key.js';
import { BRIDGE_LIMITS } from './limits.js';
import type { GatewayPins } from './messages.js';

const newKey = () => spkiOf(generateKeyPairSync('ed25519').publicKey);
const [A, B, C, D] = [newKey(), newKey(), newKey(), newKey()];
const PIN = tlsPinOf(A);
const known: GatewayPins = { identityKeys: [A, B], tlsPins: [PIN], authorities: [] };

describe('a pin set', () => {
  it('has a key and a backup', () => {
    expect(isPinSet(known)).toBe(true);
    expect(isPinSet({ ...known, tlsPins: [] })).toBe(true);
  });

  it.each<[string, Partial<GatewayPins>]>([
    ['no backup', { identityKeys: [A] }],
    ['one key twice', { identityKeys: [A, A] }],
    ['three keys', { identityKeys: [A, B, C] }],
    ['what is no key', { identityKeys: [A, Buffer.alloc(44)] }],
    [
      'another kind of key',
      { identityKeys: [A, spkiOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)] },
    ],
    ['what is no pin', { tlsPins: ['sha256/short'] }],
    ['too many pins', { tlsPins: Array.from({ length: BRIDGE_LIMITS.maxPins + 1 }, () => PIN) }],
    [
      'a certificate that is too long',
      { authorities: [Buffer.alloc(BRIDGE_LIMITS.maxCertificateBytes + 1)] },
    ],
  ])('is refused with %s', (_, change) => {
    expect(isPinSet({ ...known, ...change })).toBe(false);
  });
});

describe('the pin set after a Welcome', () => {
  it('is the known one where nothing changes, or nothing usable was received', () => {
    expect(nextPins(known, { ...known }, 0, PIN)).toBe(known);
    expect(nextPins(known, undefined, 0, PIN)).toBe(known);
    expect(nextPins(known, { ...known, identityKeys: [A] }, 0, PIN)).toBe(known);
  });

  it('takes TLS pins and authorities by the word of the signing key', () => {
    const received = { identityKeys: [A, B], tlsPins: [PIN, tlsPinOf(B)], authorities: [Buffer.of(1)] };
    expect(nextPins(known, received, 0, PIN)).toEqual(received);
  });

  it('keeps TLS pins that have the channel in use where the new ones have not', () => {
    const received = { ...known, tlsPins: [tlsPinOf(B)] };
    expect(nextPins(known, received, 0, PIN)).toBe(known);
    expect(nextPins(known, received, 0, NO_TLS)).toEqual(received);
  });

  it('keeps authorities where none are received', () => {
    const withAuthority = { ...known, authorities: [Buffer.of(1)] };
    expect(nextPins(withAuthority, known, 0, PIN)).toBe(withAuthority);
  });

  it('takes identity keys by the word of the backup', () => {
    const rotated = { ...known, identityKeys: [B, C] };
    expect(nextPins(known, rotated, 1, PIN)).toEqual(rotated);
  });

  it.each<[string, readonly Uint8Array[], number]>([
    ['the daily key names other keys', [C, D], 0],
    ['the daily key names another backup', [A, C], 0],
    ['the daily key names the backup as its successor', [B, C], 0],
    ['the backup names others in its place', [C, D], 1],
  ])('keeps its identity keys when %s', (_, identityKeys, signer) => {
    expect(nextPins(known, { ...known, identityKeys }, signer, PIN)).toBe(known);
  });
});
