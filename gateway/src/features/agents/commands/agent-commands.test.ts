import { systemRandom } from '@tillbridge/platform/system-random.js';
import { parseEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { keyFingerprint } from '@tillbridge/wire/bridge/identity-key.js';
import { EnrolmentPurpose } from '@tillbridge/wire/bridge/messages.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventsOfEntity } from '../../../core/payments/events/stored-events.test.support.js';
import {
  AGENT,
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
} from '../../../core/payments/payment-harness.test.support.js';
import {
  type AgentDeps,
  ALLOWANCE_LIMITS,
  allowGeneration,
  issueEnrolCode,
  issueKeyCode,
  issueReplaceCode,
  listAgents,
  revokeAgent,
  showAgent,
} from '../service.js';

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
});
afterEach(() => harness.dispose());

it('shows what is kept of a journal and an alarm about it', async () => {
  expect((await listAgents(harness.store)).map(({ agentId, journal }) => [agentId, journal])).toEqual([
    [AGENT, undefined],
  ]);
  const row = {
    agentId: AGENT,
    generation: 1,
    lastRow: 9,
    hash: 'AB',
    alarm: 'behind',
    alarmRow: 4,
    alarmAtMs: 86_400_000,
    countersignedRow: null,
    updatedAtMs: 0,
    version: 1,
  } as const;
  await harness.store.commit([{ op: 'insert', table: 'journalHeads', row }]);
  expect(await listAgents(harness.store)).toMatchObject([
    {
      agentId: AGENT,
      journal: {
        lastRow: 9,
        reportedAt: '1970-01-01T00:00:00.000Z',
        alarm: { kind: 'behind', row: 4, at: '1970-01-02T00:00:00.000Z' },
      },
    },
  ]);
});

const IDENTITY = Buffer.from('the identity key');
const operator = (): AgentDeps => ({
  store: harness.store,
  clock: harness.clock,
  random: systemRandom,
  identityKey: IDENTITY,
  actor: 'anna',
});
const records = async (entityId = ENTITY) =>
  (await eventsOfEntity(harness.store, entityId)).map(({ kind, payload }) => [kind, JSON.parse(payload)]);

it('issues a code that is nowhere in the database, for ten minutes, and records who did', async () => {
  const about = { entityId: ENTITY, agentId: 'store-9', terminals: ['9001'] };
  const issued = await issueEnrolCode(operator(), about);
  const { purpose, id, secret, gateway } = parseEnrolmentCode(issued.code);
  expect(purpose).toBe(EnrolmentPurpose.NEW_AGENT);
  expect(gateway).toEqual(keyFingerprint(IDENTITY));
  expect(Date.parse(issued.expiresAt) - harness.clock.nowMs()).toBe(600_000);
  const row = await harness.store.get('enrolmentCodes', [id]);
  expect(row).toMatchObject({ purpose: 'new-agent', agentId: 'store-9', entityId: ENTITY, usedFor: null });
  const stored = JSON.stringify(row);
  for (const form of ['hex', 'base64'] as const)
    expect(stored).not.toContain(Buffer.from(secret).toString(form).replace(/=+$/, ''));
  expect(await records()).toEqual([
    ['agent.code-issued', { agentId: 'store-9', by: 'anna', purpose: 'new-agent', codeId: id }],
  ]);
});

it('a code carries the address of the gateway where it is known, and that it is live', async () => {
  const about = { entityId: ENTITY, agentId: 'store-9', terminals: ['9001'] };
  const bridgeUrl = 'wss://gateway.example/bridge';
  const { code } = await issueEnrolCode({ ...operator(), isLive: true, bridgeUrl }, about);
  expect(parseEnrolmentCode(code)).toMatchObject({ isLive: true, bridgeUrl });
  const plain = parseEnrolmentCode((await issueEnrolCode(operator(), about)).code);
  expect(plain.isLive).toBe(false);
  expect(plain).not.toHaveProperty('bridgeUrl');
});

it('issues no code for a known agent, an unknown entity, or another key of a revoked agent', async () => {
  const about = { entityId: ENTITY, agentId: AGENT, terminals: ['1'] };
  await expect(issueEnrolCode(operator(), about)).rejects.toThrow(/is enrolled: "agents rotate-key"/);
  const elsewhere = { ...about, entityId: 'unknown', agentId: 'store-9' };
  await expect(issueEnrolCode(operator(), elsewhere)).rejects.toThrow(/no entity unknown/);
  await expect(issueKeyCode(operator(), 'store-9')).rejects.toThrow(/no agent store-9/);
  await revokeAgent(operator(), AGENT);
  await expect(issueKeyCode(operator(), AGENT)).rejects.toThrow(/is revoked: "agents replace"/);
  await expect(revokeAgent(operator(), AGENT)).rejects.toThrow(/is revoked/);
  expect((await issueReplaceCode(operator(), AGENT)).next).toContain('tillbridge-agent restore');
});

it('allows one generation for a day, the next one or one that is not far above it', async () => {
  const allowed = await allowGeneration(operator(), AGENT);
  expect(allowed).toMatchObject({ agentId: AGENT, allowedGeneration: 2 });
  expect(await showAgent(harness.store, AGENT)).toMatchObject({
    generation: 1,
    allowedGeneration: { generation: 2, until: allowed.until },
  });
  expect(await allowGeneration(operator(), AGENT, 4)).toMatchObject({ allowedGeneration: 4 });
  for (const far of [0, 1, 2 + ALLOWANCE_LIMITS.ahead, Number.MAX_SAFE_INTEGER])
    await expect(allowGeneration(operator(), AGENT, far)).rejects.toThrow(/one of 2 to 11 can follow/);
});

it('lists more agents than one page has', async () => {
  const template = await harness.store.get('agents', [AGENT]);
  if (!template) throw new Error('the harness has no agent');
  const rows = Array.from({ length: 1_200 }, (_, at) => ({ ...template, id: `many-${at}`, version: 1 }));
  await harness.store.commit(rows.map((row) => ({ op: 'insert', table: 'agents', row })));
  expect(await listAgents(harness.store)).toHaveLength(1_201);
  expect(await listAgents(harness.store, ENTITY)).toHaveLength(1_201);
});
