import { createSecretKey } from 'node:crypto';
import { Disposition } from '@tillbridge/protocol/bridge/messages.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { PaymentDesk } from '../payments/desk.js';
import { AGENT } from '../payments/desk-world.test.support.js';
import { MessageSeal } from '../security/message-seal.js';
import { retryParked } from './retry-parked.js';
import { type BridgeWorld, openBridgeWorld, type TestAgent } from './test-agent.test.support.js';
import { offline, reversal } from './wire-examples.test.support.js';

let world: BridgeWorld;
afterEach(() => world.dispose());

/** An agent whose record is parked here, because of a mistake of ours. */
async function withParkedRecord(): Promise<TestAgent> {
  const around = (desk: PaymentDesk): PaymentDesk =>
    Object.assign(Object.create(desk) as PaymentDesk, {
      authorize: () => Promise.reject(new Error('a mistake of ours')),
      followUp: desk.followUp.bind(desk),
      status: desk.status.bind(desk),
    });
  world = await openBridgeWorld({ limits: { handlingAttempts: 1 }, around });
  const agent = world.connect();
  await agent.join();
  agent.stream('offlineRecord', 1, 's1', offline('R-1'));
  await agent.next('parked');
  return agent;
}

/** What `tillbridge-gateway inbox retry` and the gateway do. */
async function tryAgain(): Promise<void> {
  const { store, desk } = world.desks;
  const row = await store.get('parked', [AGENT, 's1']);
  if (!row) throw new Error('nothing is parked');
  await store.commit([{ op: 'update', table: 'parked', row: { ...row, state: 'retry' } }]);
  const told = (): void => undefined;
  const seal = new MessageSeal(createSecretKey(Buffer.alloc(32, 4)), systemRandom);
  const log = { info: told, warn: told, error: told };
  await retryParked({
    store,
    desk,
    seal,
    log,
    acknowledge: (...what) => world.endpoint.acknowledge(...what),
  });
}

async function settled(): Promise<string | null | undefined> {
  return (await world.desks.store.get('parked', [AGENT, 's1']))?.note;
}

const KEEP_OUT = { originalMessageId: 's1', reference: 'R-1' };

describe('a parked message that the store has settled by hand', () => {
  test('is refused to whoever tries it again', async () => {
    const agent = await withParkedRecord();
    agent.stream('keepOut', 2, 's2', KEEP_OUT);
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's2',
      outcome: { disposition: Disposition.NOTHING_TO_REVERSE },
    });
    await tryAgain();
    expect(await settled()).toBe('refused 700.300.300');
    expect(await world.desks.transactions()).toEqual([]);
  });

  test('keeps what came of it where somebody was faster: nothing is undone, and the store hears of it', async () => {
    const agent = await withParkedRecord();
    await tryAgain();
    expect((await agent.next('acknowledgement')).messageId).toBe('s1');
    agent.stream('keepOut', 2, 's2', KEEP_OUT);
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's2',
      outcome: { disposition: Disposition.APPROVED, resultCode: '000.100.110' },
    });
    const [booked, ...others] = await world.desks.transactions();
    expect(booked).toMatchObject({ messageId: 's1', approved: true, reversed: false });
    expect(others).toEqual([]);
    expect(await world.desks.store.get('inbox', [AGENT, 's2'])).toBeDefined();
  });

  test('is undone where the store has undone the sale, whoever was faster', async () => {
    const agent = await withParkedRecord();
    await tryAgain();
    await agent.next('acknowledgement');
    agent.stream('reversal', 2, 's2', reversal('s1'));
    expect((await agent.next('acknowledgement')).outcome?.disposition).toBe(Disposition.REVERSED);
  });
});
