import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type HelloProof,
  helloBytes,
  negotiateVersion,
  signHello,
  signWelcome,
  verifyHello,
  verifyWelcome,
  type WelcomeProof,
} from './handshake.js';
import { spkiOf } from './identity-key.js';
import type { Challenge } from './messages.js';

const agent = generateKeyPairSync('ed25519');
const gateway = generateKeyPairSync('ed25519');
const challenge: Challenge = { nonce: Buffer.alloc(32, 7), versionMin: 1, versionMax: 2 };
const hello: HelloProof = {
  agentId: 'store-1',
  bootId: 'b-1',
  generation: 3,
  versionMin: 1,
  versionMax: 3,
  nonce: Buffer.alloc(32, 9),
  channel: 'none',
};
const pins = { identityKeys: [spkiOf(gateway.publicKey)], tlsPins: ['sha256/x'], authorities: [] };
const welcome: WelcomeProof = { version: 2, epoch: 5, timeMs: 1_000, pins };
const other = generateKeyPairSync('ed25519');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Every change of what both proofs cover. */
const CHANGES: readonly [string, Partial<Challenge>, Partial<HelloProof>][] = [
  ['nonce of the gateway', { nonce: Buffer.alloc(32, 8) }, {}],
  ['lowest version of the gateway', { versionMin: 2 }, {}],
  ['highest version of the gateway', { versionMax: 3 }, {}],
  ['agent id', {}, { agentId: 'store-2' }],
  ['boot id', {}, { bootId: 'b-2' }],
  ['generation', {}, { generation: 4 }],
  ['lowest version of the agent', {}, { versionMin: 2 }],
  ['highest version of the agent', {}, { versionMax: 1 }],
  ['nonce of the agent', {}, { nonce: Buffer.alloc(32, 8) }],
  ['channel', {}, { channel: 'sha256/other' }],
];

describe('the agent’s proof', () => {
  const signature = signHello(challenge, hello, agent.privateKey);

  it('is accepted under the registered key', () => {
    expect(verifyHello(challenge, { ...hello, signature }, agent.publicKey)).toBe(true);
  });

  it.each(CHANGES)('is refused with another %s', (_, ofChallenge, ofHello) => {
    const changed = { ...hello, ...ofHello, signature };
    expect(verifyHello({ ...challenge, ...ofChallenge }, changed, agent.publicKey)).toBe(false);
  });

  it('is refused under another key and for another kind of key', () => {
    expect(verifyHello(challenge, { ...hello, signature }, other.publicKey)).toBe(false);
    expect(verifyHello(challenge, { ...hello, signature }, ec.publicKey)).toBe(false);
  });

  it('keeps parts apart: moving a character between them changes the bytes', () => {
    const a = helloBytes(challenge, { ...hello, agentId: 'ab', bootId: 'c' });
    const b = helloBytes(challenge, { ...hello, agentId: 'a', bootId: 'bc' });
    expect(Buffer.from(a).equals(b)).toBe(false);
  });
});

describe('the gateway’s proof', () => {
  const signature = signWelcome(challenge, hello, welcome, gateway.privateKey);

  it('is accepted under its identity key, and is no proof of an agent', () => {
    expect(verifyWelcome(challenge, hello, { ...welcome, signature }, gateway.publicKey)).toBe(true);
    expect(verifyHello(challenge, { ...hello, signature }, gateway.publicKey)).toBe(false);
  });

  it.each(CHANGES)('is refused with another %s', (_, ofChallenge, ofHello) => {
    const [offered, answered] = [
      { ...challenge, ...ofChallenge },
      { ...hello, ...ofHello },
    ];
    expect(verifyWelcome(offered, answered, { ...welcome, signature }, gateway.publicKey)).toBe(false);
  });

  it.each<[string, Partial<WelcomeProof>]>([
    ['version', { version: 1 }],
    ['epoch', { epoch: 6 }],
    ['time', { timeMs: 1_001 }],
    ['pin set', { pins: { ...pins, tlsPins: ['sha256/y'] } }],
  ])('is refused with another %s', (_, change) => {
    const changed = { ...welcome, ...change, signature };
    expect(verifyWelcome(challenge, hello, changed, gateway.publicKey)).toBe(false);
  });

  it('is refused without the pin set that it covers', () => {
    const { pins: _, ...bare } = welcome;
    expect(verifyWelcome(challenge, hello, { ...bare, signature }, gateway.publicKey)).toBe(false);
  });

  it('is refused under another key', () => {
    expect(verifyWelcome(challenge, hello, { ...welcome, signature }, other.publicKey)).toBe(false);
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
