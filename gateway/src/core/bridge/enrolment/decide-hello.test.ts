import { GoodbyeCode, type Hello } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, it } from 'vitest';
import { newAgentRow } from '../../../security/agents/agent-row.js';
import { decideHello, type HelloFacts } from './decide-hello.js';

const AGENT = {
  ...newAgentRow({ id: 'store-1', entityId: 'e', publicKey: 'current', terminals: ['1'] }, 0),
  formerPublicKey: 'former',
  generation: 4,
  epoch: 7,
};
const HELLO: Hello = {
  agentId: 'store-1',
  bootId: 'b',
  generation: 4,
  versionMin: 1,
  versionMax: 1,
  nonce: new Uint8Array(32),
  channel: 'none',
  signature: new Uint8Array(64),
  software: '',
  streams: [],
  terminals: [],
};
const NOW_MS = 1_000;

function decide(facts: Partial<HelloFacts> = {}, hello: Partial<Hello> = {}) {
  return decideHello({
    agent: AGENT,
    provenBy: 'current',
    channelFits: true,
    isHeld: false,
    nowMs: NOW_MS,
    ...facts,
    hello: { ...HELLO, ...hello },
  });
}

describe('a Hello', () => {
  it('of a known agent begins the next epoch', () => {
    expect(decide()).toEqual({ kind: 'admit', version: 1, row: { ...AGENT, epoch: 8 } });
  });

  it('reveals nothing to a stranger: an unknown agent, a wrong key, a revoked one and a former one get the same answer', () => {
    const stranger = decide({ agent: undefined, provenBy: undefined });
    expect(stranger).toMatchObject({ kind: 'refuse', code: GoodbyeCode.UNAUTHENTICATED });
    expect(decide({ provenBy: undefined })).toEqual(stranger);
    const revoked = decide({ agent: { ...AGENT, state: 'revoked' } });
    const former = decide({ provenBy: 'former' });
    const alerted = (detail: string) => ({
      ...stranger,
      alert: { code: 'agent-key-revoked', subject: 'store-1', entityId: 'e', detail },
    });
    expect(revoked).toEqual(alerted('a key of a revoked agent'));
    expect(former).toEqual(alerted('the key before the present one'));
    expect(decide({ agent: { ...AGENT, state: 'revoked' }, provenBy: undefined })).toEqual(stranger);
  });

  it('of an agent that may have been revoked since the database was put back waits, and a stranger does not learn it', () => {
    expect(decide({ isHeld: true })).toMatchObject({ kind: 'refuse', code: GoodbyeCode.OVERLOADED });
    const stranger = decide({ agent: undefined, provenBy: undefined });
    expect(decide({ isHeld: true, provenBy: undefined })).toEqual(stranger);
    expect(decide({ isHeld: true, provenBy: 'former' })).toEqual(decide({ provenBy: 'former' }));
  });

  it('over a TLS key that is not this gateway’s is refused, and staff is alerted', () => {
    const verdict = decide({ channelFits: false }, { channel: 'sha256/other' });
    expect(verdict).toMatchObject({
      kind: 'refuse',
      code: GoodbyeCode.UNAUTHENTICATED,
      alert: { code: 'agent-channel-foreign', subject: 'store-1', detail: 'sha256/other' },
    });
    expect(decide({ channelFits: false, provenBy: undefined })).not.toHaveProperty('alert');
    // A stranger with a stolen key writes no book into the alerts.
    const long = decide({ channelFits: false }, { channel: 'x'.repeat(1_000) });
    expect(long).toMatchObject({ alert: { detail: 'x'.repeat(64) } });
  });

  it('needs a version in common', () => {
    expect(decide({}, { versionMin: 7, versionMax: 9 })).toMatchObject({
      code: GoodbyeCode.VERSION_MISMATCH,
    });
  });
});

describe('the generation', () => {
  const allowed = { ...AGENT, allowedGeneration: 5, allowedUntilMs: NOW_MS + 1 };

  it('before the present one is fenced', () => {
    expect(decide({}, { generation: 3 })).toMatchObject({
      code: GoodbyeCode.FENCED,
      alert: { code: 'agent-fenced', subject: 'store-1', detail: 'generation 3 came, 4 is the agent’s' },
    });
  });

  it.each([5, 6, Number.MAX_SAFE_INTEGER])('%d follows 4 only with leave', (generation) => {
    expect(decide({}, { generation })).toMatchObject({
      kind: 'refuse',
      code: GoodbyeCode.GENERATION_NOT_ALLOWED,
      alert: { code: 'agent-generation-jump', detail: `from 4 to ${generation}` },
    });
  });

  it('that an operator has allowed is taken once', () => {
    const verdict = decide({ agent: allowed }, { generation: 5 });
    const row = { ...AGENT, generation: 5, epoch: 8 };
    expect(verdict).toEqual({ kind: 'admit', version: 1, row });
    expect(decide({ agent: row }, { generation: 6 })).toMatchObject({ kind: 'refuse' });
  });

  it('that was allowed is no other, and not for ever', () => {
    expect(decide({ agent: allowed }, { generation: 6 })).toMatchObject({ kind: 'refuse' });
    expect(decide({ agent: allowed, nowMs: NOW_MS + 1 }, { generation: 5 })).toMatchObject({
      kind: 'refuse',
    });
  });

  it('that was allowed stays so while the present one goes on', () => {
    expect(decide({ agent: allowed })).toMatchObject({ row: { allowedGeneration: 5, generation: 4 } });
  });
});

describe('another key', () => {
  const rotating = { ...AGENT, nextPublicKey: 'next' };

  it('takes the place of the present one with its first proof', () => {
    expect(decide({ agent: rotating, provenBy: 'next' })).toMatchObject({
      row: { publicKey: 'next', nextPublicKey: null, formerPublicKey: 'current', epoch: 8 },
    });
  });

  it('is no key that was withdrawn meanwhile', () => {
    expect(decide({ provenBy: 'next' })).toMatchObject({ row: { ...AGENT, epoch: 8 } });
  });

  it('leaves the present one until then', () => {
    expect(decide({ agent: rotating })).toMatchObject({
      row: { publicKey: 'current', nextPublicKey: 'next' },
    });
  });
});
