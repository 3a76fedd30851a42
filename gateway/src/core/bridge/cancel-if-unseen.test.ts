import { Disposition } from '@tillbridge/wire/bridge/messages.js';
import { afterEach, describe, expect, test } from 'vitest';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { testKeyRing } from '../../security/vault/testing/test-key-ring.js';
import { AGENT } from '../payments/payment-harness.test.support.js';
import type { PaymentService } from '../payments/payment-service.js';
import { retryParked } from './retry-parked.js';
import { type BridgeHarness, openBridgeHarness, type TestAgent } from './test-agent.test.support.js';
import { offline, reversal } from './wire-examples.test.support.js';

let harness: BridgeHarness;
afterEach(() => harness.dispose());

/** An agent whose record is parked here, because of a mistake of ours. */
async function withParkedRecord(): Promise<TestAgent> {
  const around = (service: PaymentService): PaymentService =>
    Object.assign(Object.create(service) as PaymentService, {
      authorize: () => Promise.reject(new Error('a mistake of ours')),
      followUp: service.followUp.bind(service),
      status: service.status.bind(service),
    });
  harness = await openBridgeHarness({ limits: { handlingAttempts: 1 }, around });
  const agent = harness.connect();
  await agent.join();
  agent.stream('offlineRecord', 1, 's1', offline('R-1'));
  await agent.next('parked');
  return agent;
}

/** What `tillbridge-gateway inbox retry` and the gateway do. */
async function tryAgain(): Promise<void> {
  const { store, service, clock } = harness.services;
  const row = await store.get('parked', [AGENT, 's1']);
  if (!row) throw new Error('nothing is parked');
  await store.commit([{ op: 'update', table: 'parked', row: { ...row, state: 'retry' } }]);
  const ignore = (): void => undefined;
  const seal = new MessageSeal(testKeyRing());
  const log = { info: ignore, warn: ignore, error: ignore };
  await retryParked({
    store,
    service,
    seal,
    clock,
    log,
    acknowledge: (...what) => harness.endpoint.acknowledge(...what),
  });
}

async function resolutionNote(): Promise<string | null | undefined> {
  return (await harness.services.store.get('parked', [AGENT, 's1']))?.note;
}

const CANCEL_IF_UNSEEN = { originalMessageId: 's1', reference: 'R-1' };

describe('a parked message that the store has manually resolved', () => {
  test('is refused when it is tried again', async () => {
    const agent = await withParkedRecord();
    agent.stream('cancelIfUnseen', 2, 's2', CANCEL_IF_UNSEEN);
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's2',
      outcome: { disposition: Disposition.NOTHING_TO_REVERSE },
    });
    await tryAgain();
    expect(await resolutionNote()).toBe('refused 700.300.300');
    expect(await harness.services.transactions()).toEqual([]);
  });

  test('keeps its outcome where it was carried out first: nothing is reversed, and the agent receives the outcome', async () => {
    const agent = await withParkedRecord();
    await tryAgain();
    expect((await agent.next('acknowledgement')).messageId).toBe('s1');
    agent.stream('cancelIfUnseen', 2, 's2', CANCEL_IF_UNSEEN);
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's2',
      outcome: { disposition: Disposition.APPROVED, resultCode: '000.100.110' },
    });
    const [recorded, ...others] = await harness.services.transactions();
    expect(recorded).toMatchObject({ messageId: 's1', approved: true, reversed: false });
    expect(others).toEqual([]);
    expect(await harness.services.store.get('inbox', [AGENT, 's2'])).toBeDefined();
  });

  test('is reversed where the store has reversed the sale, also when it was carried out first', async () => {
    const agent = await withParkedRecord();
    await tryAgain();
    await agent.next('acknowledgement');
    agent.stream('reversal', 2, 's2', reversal('s1'));
    expect((await agent.next('acknowledgement')).outcome?.disposition).toBe(Disposition.REVERSED);
  });
});
