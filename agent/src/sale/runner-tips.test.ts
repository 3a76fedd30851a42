import { signStorePolicy } from '@tillbridge/wire/bridge/store-policy.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StartRequest } from '../drivers/core/driver.js';
import { TEST_GATEWAY_KEY, TEST_PINS } from '../uplink/enrolled-home.test.support.js';
import { StorePolicyKeeper } from '../uplink/store-policy-keeper.js';
import { DEFAULT_POLICY } from './machine/state/policy.js';
import { chipCard, OFFLINE_POLICY } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';
import type { SaleRequest } from './service/sale-service.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const ALLOWED = { maxTipPercent: 25, cashBack: { EUR: 10_000 } };

let keeper: StorePolicyKeeper;
let harness: SaleHarness;

function newKeeper(): StorePolicyKeeper {
  let file: Uint8Array | undefined;
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

function send(version: number, policy: Partial<StorePolicy>): void {
  const address = { agentId: 'store-1', entityId: 'e', timeMs: version };
  keeper.take(signStorePolicy({ version, ...policy }, address, TEST_GATEWAY_KEY));
}

async function boot(policy = DEFAULT_POLICY): Promise<void> {
  harness = await new SaleHarness({ policy, storePolicy: newKeeper }).boot();
  send(1, ALLOWED);
}

const sell = (request: Partial<SaleRequest>) =>
  harness.sell({ reference: 'r', amount: EUR(3_500), tip: EUR(500), cashBack: EUR(1_000), ...request });

beforeEach(() => boot());

describe('a sale with tip and cash back', () => {
  it('names both on the wire, at the terminal, to the till, on the receipt and in the totals', async () => {
    const started: StartRequest[] = [];
    harness.driver().reads = (request) => {
      started.push(request);
      return { kind: 'online-required', card: chipCard() };
    };
    const answer = await sell({});
    expect(answer).toMatchObject({
      ...{ outcome: 'approved', amount: '35.00', tip: '5.00', cashBack: '10.00' },
      cashierText: 'Approved. Hand out 10.00 EUR in cash.',
    });
    expect(started).toMatchObject([{ amount: EUR(3_500), cashBackMinor: 1_000 }]);
    expect(harness.wire.sent.at(-1)?.body).toMatchObject({
      ...{ amount: EUR(3_500), tip: EUR(500), cashBack: EUR(1_000), partialAllowed: false },
    });
    expect(await harness.service.receipt('r')).toMatchObject({ tip: EUR(500), cashBack: EUR(1_000) });
    expect(answer.receipts?.customer).toMatch(/Amount +EUR 35.00\n *Including tip +EUR 5.00/);
    expect(answer.receipts?.customer).toMatch(/Cash back +EUR 10.00/);
    const query = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
    const totals = async () => (await harness.service.totals(query, 'currency'))[0];
    expect(await totals()).toMatchObject({
      approved: { count: 1, amount: '35.00' },
      tips: { count: 1, amount: '5.00' },
      cashBack: { count: 1, amount: '10.00' },
      net: '35.00',
    });
    const close = await harness.service.closeDay('c-1');
    expect(close.movements.map(({ kind, minor }) => [kind, minor])).toEqual([
      ['approved', 3_500],
      ['tips', 500],
      ['cashBack', 1_000],
    ]);
    await harness.during(harness.service.reverse('r'));
    expect(await totals()).toMatchObject({
      approved: { count: 0 },
      tips: { count: 0 },
      cashBack: { count: 0 },
      reversed: { count: 1, amount: '35.00' },
    });
    const next = await harness.service.closeDay('c-2');
    expect(next.movements.map(({ kind, minor }) => [kind, minor])).toEqual(
      expect.arrayContaining([
        ['approved', -3_500],
        ['tips', -500],
        ['cashBack', -1_000],
        ['reversed', 3_500],
      ]),
    );
    expect(harness.faults).toEqual([]);
  });

  it('is the same after a restart, and another one under the same reference with another part', async () => {
    await sell({});
    await expect(sell({ tip: EUR(400) })).rejects.toThrow('already used with another tip');
    await expect(sell({ cashBack: EUR(900) })).rejects.toThrow('already used with another cashBack');
    await harness.crash();
    expect(await harness.service.get('r')).toMatchObject({ tip: '5.00', cashBack: '10.00' });
    expect(await sell({})).toMatchObject({ outcome: 'approved' });
    expect(harness.ledger.entries.size).toBe(1);
  });

  it.each<[string, Partial<SaleRequest>, string]>([
    [
      'a tip above the share of the store',
      { tip: EUR(501) },
      'tip: at most 25 % of the purchase of 19.99 EUR, which is 4.99 EUR, not 5.01 EUR: tip.maxPercent is set by the gateway’s policy of the store',
    ],
    [
      'more cash than the store hands out',
      { amount: EUR(20_000), cashBack: EUR(10_001) },
      'cashBack: at most 100.00 EUR of one sale, not 100.01 EUR: cashBack.EUR is set by the gateway’s policy of the store',
    ],
    [
      'cash of another currency',
      {
        amount: { minor: 9_000, currency: 'USD' },
        tip: { minor: 1, currency: 'USD' },
        cashBack: { minor: 1, currency: 'USD' },
      },
      'cashBack: this store gives no cash back in USD',
    ],
    ['parts that are all of it', { amount: EUR(1_500) }, 'cashBack must leave something of the amount'],
    ['a tip of nothing', { tip: EUR(0) }, 'tip must be more than zero'],
    ['a tip of a refund', { type: 'refund' }, 'tip belongs to a sale; this is a refund'],
    ['a tip in other money', { tip: { minor: 1, currency: 'USD' } }, 'tip must be in EUR'],
  ])('is refused with %s, before anything is journaled', async (_what, request, text) => {
    await expect(sell(request)).rejects.toThrow(text);
    expect(harness.disk.rows.filter(({ kind }) => kind === 'accepted')).toEqual([]);
  });

  it('is refused where the store allows neither, and shows the rules that are in force', async () => {
    expect(harness.service.status().policy.values).toEqual(
      expect.arrayContaining([
        { name: 'tip.maxPercent', value: '25', setBy: 'gateway' },
        { name: 'cashBack.EUR', value: '100.00', setBy: 'gateway' },
      ]),
    );
    send(2, {});
    await expect(sell({})).rejects.toThrow('tip: this store takes no tips by card');
    const withoutTip = { reference: 'r', amount: EUR(3_500), cashBack: EUR(1_000) };
    await expect(harness.sell(withoutTip)).rejects.toThrow('cashBack: this store gives no cash back in EUR');
  });

  it('takes no part of the amount where cash would be handed out', async () => {
    await boot({ ...DEFAULT_POLICY, partialApproval: 'accept' });
    harness.ledger.word = () => 'half';
    expect(await sell({})).toMatchObject({ outcome: 'declined' });
    const part = await harness.sell({ reference: 'r-2', amount: EUR(3_000), tip: EUR(500) });
    expect(part).toMatchObject({ outcome: 'approved', approvedAmount: '15.00', tip: '5.00' });
    expect(part.receipts?.customer).not.toContain('tip');
  });

  it('hands out no cash without the issuer, and takes a tip without it', async () => {
    await boot(OFFLINE_POLICY);
    send(2, {
      ...ALLOWED,
      offline: {
        ...{ limits: { EUR: { perSaleMinor: 9_000, sumMinor: 9_000 } }, maxCount: 9 },
        ...{ deferred: { limits: {}, maxCount: 0 }, maxAgeMs: 3_600_000 },
      },
    });
    harness.wire.set('down');
    expect(await sell({})).toMatchObject({ outcome: 'failed', reason: 'gateway-unreachable' });
    const tipped = await harness.sell({ reference: 'r-2', amount: EUR(1_200), tip: EUR(200) });
    expect(tipped).toMatchObject({ outcome: 'approved', mode: 'offline-card', tip: '2.00' });
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.records.at(-1)?.body).toMatchObject({ amount: EUR(1_200), tip: EUR(200) });
  });
});
