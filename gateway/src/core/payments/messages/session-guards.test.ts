import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TableName } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import {
  AGENT,
  FailingStore,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  tillReversal,
  tillSale,
} from '../payment-harness.test.support.js';
import { type FollowUpRequest, type PaymentRequest, StaleSessionError } from '../rules/requests.js';

let store: FailingStore;
let harness: PaymentHarness;
beforeEach(async () => {
  store = new FailingStore(new MemoryStore());
  harness = await openPaymentHarness(() => store);
});
afterEach(() => harness.dispose());

/** Before the next commit that inserts into the table, a newer session of the agent is committed. */
function supersedeBefore(table: TableName): void {
  store.beforeCommit = async (changes: readonly Change[]) => {
    if (!changes.some((change) => change.op === 'insert' && change.table === table)) return;
    store.beforeCommit = async () => undefined;
    const agent = await store.get('agents', [AGENT]);
    if (!agent) throw new Error('the harness has no agent');
    await store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: agent.epoch + 1 } }]);
  };
}

async function written(messageId: string): Promise<readonly string[]> {
  const rows = {
    inbox: await store.get('inbox', [AGENT, messageId]),
    tombstone: await store.get('tombstones', [AGENT, 'm0']),
    payment: (await store.find('payments', 'message', [AGENT, messageId]))[0],
    stream: await store.get('streams', [AGENT, '1']),
  };
  return Object.entries(rows).flatMap(([name, row]) => (row ? [name] : []));
}

const cancel = (originalId: string): FollowUpRequest => {
  const { amount: _amount, ...reversal } = tillReversal('m1', originalId);
  return { ...reversal, cancelIfUnseen: true };
};
const record = (more: Partial<PaymentRequest>): PaymentRequest =>
  tillSale('m1', 'R-1', {
    origin: message('m1', 1),
    offline: { kind: 'deferred', decidedAtMs: NOW_MS },
    ...more,
  });

describe('an older session writes nothing', () => {
  it('of a refusal', async () => {
    supersedeBefore('payments');
    const refused = record({ testMode: 'EXTERNAL' });
    await expect(harness.service.authorize(refused)).rejects.toBeInstanceOf(StaleSessionError);
    expect(await written('m1')).toEqual([]);
  });

  it('of a refusal without a payment', async () => {
    await harness.service.authorize(tillSale('m0', 'R-1'));
    supersedeBefore('inbox');
    await expect(harness.service.authorize(record({}))).rejects.toBeInstanceOf(StaleSessionError);
    expect(await written('m1')).toEqual([]);
  });

  it('of a refused follow-up', async () => {
    supersedeBefore('payments');
    const capture: FollowUpRequest = { ...tillReversal('m1', 'm0'), type: 'CP' };
    await expect(harness.service.followUp(capture)).rejects.toBeInstanceOf(StaleSessionError);
    expect(await written('m1')).toEqual([]);
  });

  it('of a cancel-if-unseen of what never came', async () => {
    supersedeBefore('tombstones');
    await expect(harness.service.followUp(cancel('m0'))).rejects.toBeInstanceOf(StaleSessionError);
    expect(await written('m1')).toEqual([]);
  });

  it('of a cancel-if-unseen of what was answered', async () => {
    await harness.service.authorize(tillSale('m0', 'R-1'));
    supersedeBefore('inbox');
    await expect(harness.service.followUp(cancel('m0'))).rejects.toBeInstanceOf(StaleSessionError);
    expect(await written('m1')).toEqual([]);
  });
});
