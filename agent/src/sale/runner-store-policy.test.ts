import { signStorePolicy } from '@tillbridge/wire/bridge/store-policy.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEST_GATEWAY_KEY, TEST_PINS } from '../uplink/enrolled-home.test.support.js';
import { StorePolicyKeeper } from '../uplink/store-policy-keeper.js';
import { chipCard, OFFLINE_POLICY } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';
import type { TillEvent } from './service/sale-service.js';

const HOUR_MS = 3_600_000;
const EUR = (minor: number) => ({ minor, currency: 'EUR' });

let file: Uint8Array | undefined;
let keeper: StorePolicyKeeper;
let harness: SaleHarness;

/** What the agent reads at its start, over the same file. */
function newKeeper(): StorePolicyKeeper {
  const storage = {
    read: () => file,
    write: (bytes: Uint8Array) => {
      file = bytes;
    },
  };
  const log = { info: () => undefined, error: () => undefined };
  keeper = new StorePolicyKeeper({ agentId: 'store-1', pins: () => TEST_PINS, storage, log });
  return keeper;
}

/** The gateway sends a policy: the offline limits of EUR, and what else. */
function tell(version: number, offline: object = {}, more: Partial<StorePolicy> = {}): void {
  const policy: StorePolicy = {
    version,
    offline: {
      limits: { EUR: { perSaleMinor: 2_000, sumMinor: 100_000 } },
      maxCount: 100,
      deferred: { limits: {}, maxCount: 0 },
      maxAgeMs: 24 * HOUR_MS,
      ...offline,
    },
    ...more,
  };
  const address = { agentId: 'store-1', entityId: 'e', timeMs: version };
  keeper.take(signStorePolicy(policy, address, TEST_GATEWAY_KEY));
}

/** A sale with a new card that approves it without the gateway. */
async function sellOffline(reference: string, minor = 1_000) {
  harness.driver().reads = () => {
    const { facts, ...card } = chipCard(0x40);
    const own = { ...facts, expiry: reference.replaceAll(/\D/g, '').padStart(4, '0') };
    return { kind: 'approved-offline', card: { ...card, facts: own } };
  };
  return harness.sell({ reference, amount: EUR(minor) });
}

beforeEach(async () => {
  file = undefined;
  harness = await new SaleHarness({ policy: OFFLINE_POLICY, storePolicy: newKeeper }).boot();
});

describe('a policy that is stricter than the configuration', () => {
  it.each<[string, object, string]>([
    [
      'the amount',
      { limits: { EUR: { perSaleMinor: 999, sumMinor: 1e5 } } },
      'the amount is above the limit for one',
    ],
    [
      'the sum',
      { limits: { EUR: { perSaleMinor: 2_000, sumMinor: 1_999 } } },
      'the sum of offline sales on this terminal',
    ],
    ['the count', { maxCount: 1 }, 'too many offline sales of this terminal wait'],
    [
      'the currencies',
      { limits: { USD: { perSaleMinor: 2_000, sumMinor: 2_000 } } },
      'this currency is never sold',
    ],
  ])(
    'refuses a sale by %s, and the cashier reads the rule, also after a restart',
    async (_what, offline, text) => {
      tell(1);
      harness.wire.set('down');
      expect(await sellOffline('A-1')).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
      tell(2, offline);
      for (const reference of ['A-2', 'A-3']) {
        const refused = await sellOffline(reference);
        expect(refused).toMatchObject({ outcome: 'failed', mode: null });
        expect(refused.cashierText).toContain(text);
        expect(refused.cashierText).toContain('NOT charged');
        await harness.crash('down');
      }
      expect(harness.service.status().policy.version).toBe(2);
    },
  );

  it('lets a record wait less long', async () => {
    tell(1);
    harness.wire.set('down');
    await sellOffline('A-1');
    await harness.clock.advance(2 * HOUR_MS);
    expect(harness.service.queue().items[0]).not.toHaveProperty('expired');
    tell(2, { maxAgeMs: HOUR_MS });
    await harness.clock.advance(0);
    expect(harness.service.queue().items[0]).toMatchObject({ expired: true });
    expect(harness.kinds('A-1').at(-1)).toBe('too-old');
  });

  it('changes the condition of a terminal, and sends tills an event', async () => {
    const events: TillEvent[] = [];
    harness.service.onEvent((event) => events.push(event));
    tell(1, { limits: {} });
    expect(events.map((event) => event.type === 'terminal' && event.terminal.offline.reasons)).toEqual([
      ['currency-not-allowed'],
    ]);
  });
});

describe('a policy that is not known', () => {
  it('lets no sale be approved without the gateway, until a policy arrives', async () => {
    harness.wire.set('down');
    const refused = await sellOffline('A-1');
    expect(refused).toMatchObject({ outcome: 'failed' });
    expect(refused.cashierText).toContain('the gateway has not sent the policy of the store');
    expect(harness.service.terminals()[0]?.offline.reasons).toContain('store-policy-unknown');
    expect(harness.service.status().policy).not.toHaveProperty('version');
    tell(1);
    expect(await sellOffline('A-2')).toMatchObject({ outcome: 'approved' });
  });

  it('keeps no sale from the gateway', async () => {
    expect(await harness.sell({ reference: 'A-1' })).toMatchObject({ outcome: 'approved', mode: 'online' });
  });
});

describe('a payment that the policy does not allow', () => {
  it('is refused by name before anything is journaled, and its reference stays free', async () => {
    tell(1, {}, { ceilings: { EUR: 1_000 } });
    await expect(harness.sell({ reference: 'A-1', amount: EUR(1_001) })).rejects.toMatchObject({
      code: 'outside-policy',
      message:
        'amount: a payment is at most 10.00 EUR: ceiling.EUR is set by the gateway’s policy of the store',
    });
    await expect(
      harness.sell({ reference: 'A-2', amount: EUR(1_000), type: 'refund' }),
    ).rejects.toMatchObject({
      code: 'outside-policy',
      message: expect.stringContaining('originalReference'),
    });
    expect(harness.disk.rows.filter(({ reference }) => reference !== '')).toEqual([]);
    expect(await harness.sell({ reference: 'A-1', amount: EUR(1_000) })).toMatchObject({
      outcome: 'approved',
    });
    const linked = {
      reference: 'A-3',
      type: 'refund',
      originalReference: 'A-1',
      amount: EUR(1_000),
    } as const;
    expect(await harness.sell(linked)).toMatchObject({ outcome: 'approved' });
  });

  it('was answered before the policy: the same reference gives that answer', async () => {
    tell(1);
    const first = await harness.sell({ reference: 'A-1', amount: EUR(5_000) });
    tell(2, {}, { ceilings: { EUR: 1_000 } });
    expect(await harness.sell({ reference: 'A-1', amount: EUR(5_000) })).toEqual(first);
  });
});
