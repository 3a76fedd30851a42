import { expect, it } from 'vitest';
import type { AgentRow, TokenRow } from '../../kernel/store/rows.js';
import { newAgentRow } from '../agents/agent-row.js';
import { exampleDevice } from '../devices/device-example.test.support.js';
import { agentAgain, deviceAgain, tokenAgain } from './reapply.js';
import { type AgentEntry, agentEntry, deviceEntry } from './trust-entry.js';

const ROW: AgentRow = {
  ...newAgentRow({ id: 'store-1', entityId: 'e', publicKey: 'first', terminals: ['1'] }, 0),
  epoch: 5,
};
const after = (later: Partial<AgentRow>): AgentEntry => {
  const entry = agentEntry({ ...ROW, epoch: 9, ...later }, 100);
  if (!entry) throw new Error('there is nothing to remember');
  return entry;
};

it('revokes a token again since when it was revoked, once', () => {
  const row = { id: 't', revokedAtMs: null } as TokenRow;
  const revoked = tokenAgain(row, { kind: 'token', id: 't', atMs: 7 });
  expect(revoked).toEqual({ ...row, revokedAtMs: 7 });
  expect(tokenAgain({ ...row, revokedAtMs: 3 }, { kind: 'token', id: 't', atMs: 7 })).toBeUndefined();
});

it('remembers nothing of an agent that is as it was enrolled', () => {
  expect(agentEntry({ ...ROW, epoch: 9 }, 100)).toBeUndefined();
});

it('revokes an agent again, however often it has come back since', () => {
  const entry = after({ state: 'revoked' });
  for (const epoch of [5, 8, 9, 40])
    expect(agentAgain({ ...ROW, epoch }, entry)).toMatchObject({
      state: 'revoked',
      epoch: Math.max(epoch, 9) + 1,
      nodeId: null,
    });
  expect(agentAgain({ ...ROW, state: 'revoked' }, entry)).toBeUndefined();
  expect(agentAgain({ ...ROW, publicKey: 'second', epoch: 9 }, entry)).toBeUndefined();
  // Replaced after it was revoked, which the record of this home does not know yet.
  expect(agentAgain({ ...ROW, publicKey: 'second', epoch: 12 }, entry)).toBeUndefined();
});

it('takes no key again that was replaced', () => {
  const entry = after({ publicKey: 'second', formerPublicKey: 'first' });
  expect(agentAgain(ROW, entry)).toMatchObject({ state: 'revoked', publicKey: 'first', epoch: 10 });
  expect(agentAgain({ ...ROW, nextPublicKey: 'third' }, entry)).toMatchObject({ state: 'revoked' });
  expect(agentAgain({ ...ROW, state: 'revoked', nextPublicKey: 'second' }, entry)).toBeUndefined();
  // The new key was enrolled already, and not used.
  expect(agentAgain({ ...ROW, nextPublicKey: 'second' }, entry)).toMatchObject({
    state: 'active',
    publicKey: 'second',
    formerPublicKey: 'first',
    nextPublicKey: null,
    epoch: 10,
  });
  expect(agentAgain({ ...ROW, publicKey: 'second', epoch: 9 }, entry)).toBeUndefined();
});

it('fences an older generation of a journal', () => {
  const entry = after({ generation: 3 });
  expect(agentAgain(ROW, entry)).toMatchObject({ state: 'active', generation: 3, epoch: 10 });
  expect(agentAgain({ ...ROW, generation: 3 }, entry)).toBeUndefined();
  expect(agentAgain({ ...ROW, epoch: 40 }, entry)).toMatchObject({ generation: 3, epoch: 41 });
});

it('puts a device out of use again, and never one that came back to use', () => {
  const device = exampleDevice({ state: 'active', stateSinceMs: 10 });
  const ended = deviceEntry({ ...device, state: 'tampered', stateSinceMs: 20 });
  expect(deviceAgain(device, ended)).toMatchObject({ state: 'tampered', stateSinceMs: 20 });
  expect(deviceAgain({ ...device, state: 'tampered', stateSinceMs: 15 }, ended)).toBeUndefined();
  for (const stateSinceMs of [20, 30])
    expect(deviceAgain({ ...device, stateSinceMs }, ended)).toBeUndefined();
  const resumed = deviceEntry({ ...device, stateSinceMs: 30 });
  expect(deviceAgain({ ...device, state: 'suspended', stateSinceMs: 20 }, resumed)).toBeUndefined();
});
