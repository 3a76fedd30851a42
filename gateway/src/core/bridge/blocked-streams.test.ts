import { Disposition } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test } from 'vitest';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import type { ParkedRow } from '../../kernel/store/rows.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { testKeyRing } from '../../security/vault/testing/test-key-ring.js';
import { AGENT, FailingStore } from '../payments/payment-harness.test.support.js';
import type { PaymentService } from '../payments/payment-service.js';
import type { PaymentResult } from '../payments/rules/requests.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { retryParked } from './retry-parked.js';
import { PASSES_PARKED } from './same-sale.js';
import { offline, reversal } from './wire-examples.test.support.js';

const bridge = bridgeOfTest();
/** Tried at once, after 1 s and after 2 s: then it is parked. */
const limits = { streamBlockMs: 2_000, retryMinMs: 1_000, retryMaxMs: 1_000 };
const TRIES = 3;

/** A service that cannot decide on these messages. */
function undecided(...messageIds: readonly string[]): (service: PaymentService) => PaymentService {
  const unless = (id: string, work: () => Promise<PaymentResult>): Promise<PaymentResult> =>
    messageIds.includes(id) ? Promise.reject(new TryLaterError('the original has no outcome')) : work();
  const idOf = (origin: Parameters<PaymentService['authorize']>[0]['origin']): string =>
    origin.kind === 'bridge' ? origin.messageId : '';
  return (service) => ({
    authorize: (request) => unless(idOf(request.origin), () => service.authorize(request)),
    followUp: (request) => unless(idOf(request.origin), () => service.followUp(request)),
    status: (agentId, messageId) => service.status(agentId, messageId),
    find: (...query) => service.find(...query),
    lookUp: (...query) => service.lookUp(...query),
    continueWaiting: (...request) => service.continueWaiting(...request),
  });
}

const join = (...messageIds: readonly string[]) =>
  bridge.joined({ limits, around: undecided(...messageIds) });

/** Lets the message at the head of the stream be tried so often. */
async function tries(times: number, before = 0): Promise<void> {
  for (let vain = before + 1; vain < before + times; vain += 1) {
    await bridge.harness.logged('message must wait', vain);
    await bridge.harness.services.clock.advance(limits.retryMinMs);
  }
  await bridge.harness.logged('message must wait', before + times);
}

async function row(messageId: string): Promise<ParkedRow> {
  const found = await bridge.harness.services.store.get('parked', [AGENT, messageId]);
  if (!found) throw new Error(`${messageId} is not parked`);
  return found;
}

async function wantAgain(messageId: string): Promise<void> {
  const again = { ...(await row(messageId)), state: 'retry' } as const;
  await bridge.harness.services.store.commit([{ op: 'update', table: 'parked', row: again }]);
}

function tryAgain(): Promise<void> {
  const { store, service, clock } = bridge.harness.services;
  const ignore = (): void => undefined;
  const seal = new MessageSeal(testKeyRing());
  const acknowledge = (...what: Parameters<typeof bridge.harness.endpoint.acknowledge>) =>
    bridge.harness.endpoint.acknowledge(...what);
  const log = { info: ignore, warn: ignore, error: ignore };
  return retryParked({ store, service, seal, clock, log, acknowledge });
}

const preceding = (reference: string) => ({ ...reversal('live-request'), reference });

describe('a message that cannot be decided', () => {
  test('is parked with its reason after the bound, with an error in the log, and other sales go on', async () => {
    const agent = await join('s1');
    agent.stream('reversal', 1, 's1', preceding('R-1'));
    agent.stream('offlineRecord', 2, 's2', offline('R-2'));
    await tries(TRIES);
    expect(await agent.next('parked')).toEqual({
      messageId: 's1',
      reasonCode: 'blocked',
      reason: 'the message could not be decided for too long: the original has no outcome',
    });
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');
    expect(await row('s1')).toMatchObject({ state: 'waiting', sequence: 1, reference: 'R-1' });
    expect(bridge.harness.log).toContainEqual(expect.stringMatching(/^message parked .*"blocked"/));
  });

  test('counts its time over sessions', async () => {
    const agent = await join('s1');
    agent.stream('reversal', 1, 's1', preceding('R-1'));
    await tries(TRIES - 1);
    agent.socket.close();
    await agent.closed;
    const again = bridge.harness.connect();
    await again.join();
    await bridge.harness.services.clock.advance(limits.retryMinMs);
    again.stream('reversal', 1, 's1', preceding('R-1'));
    expect(await again.next('parked')).toMatchObject({ messageId: 's1', reasonCode: 'blocked' });
  });

  test('waits on while the acquirer is away', async () => {
    const agent = await join();
    bridge.harness.services.line.cut = true;
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    await tries(2 * TRIES);
    bridge.harness.services.line.cut = false;
    await bridge.harness.services.clock.advance(limits.retryMinMs);
    expect((await agent.next('acknowledgement')).messageId).toBe('s1');
    expect(agent.unread).not.toContain('parked');
  });

  test('is carried out when an operator has it tried again', async () => {
    const agent = await join('s1');
    agent.stream('reversal', 1, 's1', preceding('R-1'));
    await tries(TRIES);
    await agent.next('parked');
    await wantAgain('s1');
    await tryAgain();
    expect(await row('s1')).toMatchObject({ state: 'resolved' });
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's1',
      outcome: { disposition: Disposition.NOTHING_TO_REVERSE },
    });
  });
});

describe('behind a parked message of its own sale', () => {
  test('a message that moves money is parked at once, and all are tried again in order', async () => {
    const agent = await join('s1');
    agent.stream('reversal', 1, 's1', preceding('R-1'));
    agent.stream('offlineRecord', 2, 's2', offline('R-1'));
    await tries(TRIES);
    expect(await agent.next('parked')).toMatchObject({ messageId: 's1' });
    expect(await agent.next('parked')).toEqual({
      messageId: 's2',
      reasonCode: 'behind-parked',
      reason: 'an earlier message of the sale is parked: s1',
    });
    // The later one alone waits for the one before it.
    await wantAgain('s2');
    await tryAgain();
    const note = 'waits for s1, an earlier message of the sale';
    expect(await row('s2')).toMatchObject({ state: 'waiting', note });
    expect(await bridge.harness.services.transactions()).toEqual([]);
    await wantAgain('s1');
    await tryAgain();
    await tryAgain();
    expect(await row('s1')).toMatchObject({ state: 'resolved' });
    expect(await row('s2')).toMatchObject({ state: 'resolved', note: 'approved 000.100.110' });
    expect((await agent.next('acknowledgement')).messageId).toBe('s1');
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');
  });

  test('a waiting message is tried again once the first is resolved', async () => {
    const disk = new FailingStore(new MemoryStore());
    const agent = await bridge.joined({ limits, around: undecided('s1'), makeStore: async () => disk });
    agent.stream('reversal', 1, 's1', preceding('R-1'));
    agent.stream('offlineRecord', 2, 's2', offline('R-1'));
    await tries(TRIES);
    await agent.next('parked');
    await agent.next('parked');
    await wantAgain('s1');
    // In one commit: no retry comes to the second one after a crash in between.
    const written: string[][] = [];
    disk.beforeCommit = async (changes) => {
      const ids = changes.flatMap((each) =>
        each.op === 'update' && each.table === 'parked' ? [each.row.messageId] : [],
      );
      if (ids.length > 0) written.push(ids);
    };
    await tryAgain();
    expect(written).toEqual([['s1', 's2']]);
    expect(await row('s2')).toMatchObject({ state: 'retry' });
    await tryAgain();
    expect(await row('s2')).toMatchObject({ state: 'resolved' });
  });

  test('a reversal passes, and the parked original is never carried out', async () => {
    const agent = await join('s1');
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    agent.stream('reversal', 2, 's2', { ...reversal('s1'), reference: 'R-1' });
    await tries(TRIES);
    expect(await agent.next('parked')).toMatchObject({ messageId: 's1' });
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's2',
      outcome: { disposition: Disposition.NOTHING_TO_REVERSE },
    });
    await wantAgain('s1');
    await tryAgain();
    expect(await bridge.harness.services.transactions()).toEqual([]);
  });

  test('only a reversal and a cancel-if-unseen may pass', () => {
    const passing = Object.entries(PASSES_PARKED).flatMap(([kind, passes]) => (passes ? [kind] : []));
    expect(passing).toEqual(['reversal', 'cancelIfUnseen']);
  });
});
