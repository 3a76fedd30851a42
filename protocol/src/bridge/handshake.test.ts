import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { helloBytes, negotiateVersion, signHello, verifyHello } from './handshake.js';

const keys = generateKeyPairSync('ed25519');
const proof = { nonce: Buffer.alloc(32, 7), agentId: 'store-1', bootId: 'b-1', generation: 3 };

describe('hello proof', () => {
  it('is accepted under the registered key', () => {
    expect(verifyHello(proof, signHello(proof, keys.privateKey), keys.publicKey)).toBe(true);
  });

  it.each([
    ['nonce', { nonce: Buffer.alloc(32, 8) }],
    ['agent id', { agentId: 'store-2' }],
    ['boot id', { bootId: 'b-2' }],
    ['generation', { generation: 4 }],
  ])('is refused with another %s', (_, change) => {
    expect(verifyHello({ ...proof, ...change }, signHello(proof, keys.privateKey), keys.publicKey)).toBe(
      false,
    );
  });

  it('is refused under another key and for another kind of key', () => {
    const other = generateKeyPairSync('ed25519');
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(verifyHello(proof, signHello(proof, other.privateKey), keys.publicKey)).toBe(false);
    expect(verifyHello(proof, signHello(proof, keys.privateKey), ec.publicKey)).toBe(false);
  });

  it('keeps parts apart: moving a character between them changes the bytes', () => {
    const a = helloBytes({ ...proof, agentId: 'ab', bootId: 'c' });
    const b = helloBytes({ ...proof, agentId: 'a', bootId: 'bc' });
    expect(Buffer.from(a).equals(b)).toBe(false);
  });
});

describe('version negotiation', () => {
  it.each([
    [{ min: 1, max: 3 }, { min: 1, max: 2 }, 2],
    [{ min: 1, max: 1 }, { min: 1, max: 2 }, 1],
    [{ min: 3, max: 4 }, { min: 1, max: 2 }, undefined],
    [{ min: 1, max: 1 }, { min: 2, max: 2 }, undefined],
  ])('of %o and %o gives %s', (theirs, ours, version) => {
    expect(negotiateVersion(theirs, ours)).toBe(version);
  });
});
