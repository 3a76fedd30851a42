import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Change } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { testKeyRing } from '../../security/vault/testing/test-key-ring.js';
import {
  AGENT,
  ENTITY,
  FailingStore,
  message,
  openPaymentHarness,
  type PaymentHarness,
  QUIET,
  tillReversal,
  tillSale,
} from '../payments/payment-harness.test.support.js';
import type { StreamItem } from './backlog-machine.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import { MessageHandler } from './message-handler.js';
import { reversal } from './wire-examples.test.support.js';

const SESSION = { agentId: AGENT, entityId: ENTITY, terminals: ['1'], epoch: 1, provenAtMs: 0 };

let store: FailingStore;
let harness: PaymentHarness;
let handler: MessageHandler;
beforeEach(async () => {
  store = new FailingStore(new MemoryStore());
  harness = await openPaymentHarness(() => store);
  const { service, clock } = harness;
  const seal = new MessageSeal(testKeyRing());
  handler = new MessageHandler({ service, store, clock, seal, log: QUIET, limits: DEFAULT_BRIDGE_LIMITS });
});
afterEach(() => harness.dispose());

/** Before the next commit that fits, a newer session of the agent is committed. */
function supersedeBefore(fits: (change: Change) => boolean): void {
  store.beforeCommit = async (changes) => {
    if (!changes.some(fits)) return;
    store.beforeCommit = async () => undefined;
    const agent = await store.get('agents', [AGENT]);
    if (!agent) throw new Error('the harness has no agent');
    await store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: agent.epoch + 1 } }]);
  };
}

test('an older session parks nothing', async () => {
  const place = { id: 's1', terminalId: '1', sequence: 1 };
  const bytes = Uint8Array.of(1);
  const unreadable: StreamItem = { ...place, kind: 'unreadable', bytes, fault: 'no body' };
  supersedeBefore((change) => change.op === 'insert' && change.table === 'parked');
  expect(await handler.stream(unreadable, SESSION, false)).toEqual({ kind: 'stale' });
  expect(await store.get('parked', [AGENT, 's1'])).toBeUndefined();
  expect(await store.find('alerts', 'state', ['open'])).toEqual([]);
  expect(await store.get('streams', [AGENT, '1'])).toBeUndefined();
});

test('an older session steps no stream behind what it refused', async () => {
  await harness.service.authorize(tillSale('m0', 'R-0', { origin: message('m0') }));
  await harness.service.followUp(tillReversal('s1', 'm0', 1));
  // The same id with other content: refused, and no commit of the service.
  const other: StreamItem = {
    id: 's1',
    terminalId: '1',
    sequence: 7,
    kind: 'reversal',
    body: reversal('m9'),
  };
  supersedeBefore((change) => change.op === 'advance-stream');
  expect(await handler.stream(other, SESSION, false)).toEqual({ kind: 'stale' });
  expect(await store.get('streams', [AGENT, '1'])).toMatchObject({ nextSequence: 2 });
});
