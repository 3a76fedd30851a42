import { EnrolmentPurpose } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, it } from 'vitest';
import type { EnrolmentCodeRow } from '../../../kernel/store/rows.js';
import { newAgentRow } from '../../../security/agents/agent-row.js';
import { decideEnrolment, ENROLMENT_LIMITS, type EnrolmentFacts } from './decide-enrolment.js';

const NOW_MS = 1_000;
const CODE: EnrolmentCodeRow = {
  id: '0011223344',
  publicKey: 'code',
  purpose: 'new-agent',
  agentId: 'store-1',
  entityId: 'e',
  terminals: '["1"]',
  generation: 1,
  failures: 0,
  expiresAtMs: NOW_MS + 1,
  usedFor: null,
  createdAtMs: 0,
  version: 1,
};
const AGENT = {
  ...newAgentRow({ id: 'store-1', entityId: 'e', publicKey: 'old', terminals: ['1'] }, 0),
  generation: 3,
  epoch: 9,
};
const REFUSED = { kind: 'refuse', changes: [] };

function decide(facts: Partial<EnrolmentFacts> = {}) {
  return decideEnrolment({
    request: { purpose: EnrolmentPurpose.NEW_AGENT, agentId: '' },
    code: CODE,
    agent: undefined,
    isByCode: true,
    key: 'new',
    channelFits: true,
    nowMs: NOW_MS,
    ...facts,
  });
}

describe('a code for a new agent', () => {
  it('makes its key known, once', () => {
    const verdict = decide();
    expect(verdict).toEqual({
      kind: 'take',
      changes: [
        { op: 'update', table: 'enrolmentCodes', row: { ...CODE, usedFor: 'new' } },
        {
          op: 'insert',
          table: 'agents',
          row: newAgentRow({ id: 'store-1', entityId: 'e', publicKey: 'new', terminals: ['1'] }, NOW_MS),
        },
      ],
    });
    const used = { ...CODE, usedFor: 'new' };
    expect(decide({ code: used, agent: AGENT })).toEqual({ kind: 'repeat' });
    expect(decide({ code: used, agent: AGENT, key: 'another' })).toEqual(REFUSED);
  });

  it.each<[string, Partial<EnrolmentFacts>]>([
    ['an unknown code', { code: undefined }],
    ['an expired code', { nowMs: CODE.expiresAtMs }],
    ['a code that was guessed at too often', { code: { ...CODE, failures: ENROLMENT_LIMITS.failures } }],
    ['a key that the sender does not have', { key: undefined }],
    ['a party between', { channelFits: false }],
    ['another purpose', { request: { purpose: EnrolmentPurpose.REPLACEMENT, agentId: '' } }],
    ['the home of another agent', { request: { purpose: EnrolmentPurpose.NEW_AGENT, agentId: 'store-2' } }],
    ['a home that has an agent', { request: { purpose: EnrolmentPurpose.NEW_AGENT, agentId: 'store-1' } }],
    ['an agent that was enrolled meanwhile', { agent: AGENT }],
  ])('is refused with %s', (_name, facts) => {
    expect(decide(facts)).toEqual(REFUSED);
  });

  it('counts who does not have it, and is of no use after five of them', () => {
    for (let failures = 0; failures < ENROLMENT_LIMITS.failures; failures += 1) {
      const verdict = decide({ code: { ...CODE, failures }, isByCode: false });
      expect(verdict).toMatchObject({ kind: 'refuse', changes: [{ row: { failures: failures + 1 } }] });
      expect('alert' in verdict).toBe(failures + 1 === ENROLMENT_LIMITS.failures);
    }
    expect(decide({ code: { ...CODE, failures: 4 }, isByCode: false })).toMatchObject({
      alert: { code: 'enrolment-code-guessed', subject: 'store-1' },
    });
  });
});

describe('a code for another key', () => {
  const code: EnrolmentCodeRow = { ...CODE, purpose: 'new-key', generation: 3 };
  const request = { purpose: EnrolmentPurpose.NEW_KEY, agentId: 'store-1' };

  it('leaves the present key and the session', () => {
    expect(decide({ code, request, agent: AGENT })).toMatchObject({
      kind: 'take',
      changes: [{}, { op: 'update', row: { ...AGENT, nextPublicKey: 'new' } }],
    });
  });

  it.each<[string, Partial<EnrolmentFacts>]>([
    ['a revoked agent', { agent: { ...AGENT, state: 'revoked' } }],
    ['no agent', { agent: undefined }],
    ['a home without an agent', { request: { ...request, agentId: '' } }],
    ['the present key', { key: 'old' }],
  ])('is refused with %s', (_name, facts) => {
    expect(decide({ code, request, agent: AGENT, ...facts })).toEqual(REFUSED);
  });
});

describe('a code for another machine', () => {
  const code: EnrolmentCodeRow = { ...CODE, purpose: 'replacement', generation: 4 };
  const request = { purpose: EnrolmentPurpose.REPLACEMENT, agentId: '' };

  it.each(['active', 'revoked'] as const)(
    'refuses the former key of an %s agent, fences its session, and begins the next generation',
    (state) => {
      expect(decide({ code, request, agent: { ...AGENT, state } })).toMatchObject({
        kind: 'take',
        changes: [
          {},
          {
            op: 'update',
            row: { state: 'active', publicKey: 'new', formerPublicKey: 'old', generation: 4, epoch: 10 },
          },
        ],
      });
    },
  );

  it.each<[string, Partial<EnrolmentFacts>]>([
    ['where a later generation was there', { agent: { ...AGENT, generation: 4 } }],
    ['to the home of another agent', { request: { ...request, agentId: 'store-2' } }],
    ['under the present key, which may be the lost one', { key: 'old' }],
  ])('is refused %s', (_name, facts) => {
    expect(decide({ code, request, agent: AGENT, ...facts })).toEqual(REFUSED);
  });
});
