import { describe, expect, it } from 'vitest';
import { SaleHarness } from '../sale-harness.test.support.js';
import { type Movement, totalsOf } from './totals.js';
import { totalsPage } from './totals-page.js';

const movement = (more: Partial<Movement>): Movement => ({
  kind: 'approved',
  minor: 1_000,
  currency: 'EUR',
  terminal: '11',
  brand: 'VISA',
  till: '',
  ...more,
});

describe('totals', () => {
  it('add up by key, and never two currencies', () => {
    const movements = [
      movement({}),
      movement({ minor: 250, kind: 'refunded' }),
      movement({ terminal: '22', minor: 1 }),
      movement({ currency: 'USD' }),
      movement({ currency: 'JPY', minor: 500 }),
    ];
    const seen = totalsOf(movements, 'terminal').map(({ key, currency, net, approved, refunded }) => [
      key,
      currency,
      net,
      approved.count,
      refunded.amount,
    ]);
    expect(seen).toEqual([
      ['11', 'EUR', '7.50', 1, '2.50'],
      ['11', 'JPY', '500.00', 1, '0.00'],
      ['11', 'USD', '10.00', 1, '0.00'],
      ['22', 'EUR', '0.01', 1, '0.00'],
    ]);
    expect(totalsOf(movements, 'brand').map(({ key, currency }) => `${key} ${currency}`)).toEqual([
      'VISA EUR',
      'VISA JPY',
      'VISA USD',
    ]);
  });

  it('are in the order of their keys and currencies, whatever came first', () => {
    const movements = ['22', '33', '11'].flatMap((terminal) =>
      ['USD', 'EUR', 'CHF'].map((currency) => movement({ terminal, currency })),
    );
    expect(totalsOf(movements, 'terminal').map(({ key, currency }) => `${key} ${currency}`)).toEqual(
      ['11', '22', '33'].flatMap((key) => ['CHF', 'EUR', 'USD'].map((currency) => `${key} ${currency}`)),
    );
  });

  it('may be below zero', () => {
    expect(totalsOf([movement({ kind: 'refunded' })], 'currency')[0]?.net).toBe('-10.00');
  });

  it('are a page without scripts, in the language of the store, with everything escaped', () => {
    const groups = totalsOf([movement({ till: '<b>', kind: 'parked' })], 'till');
    const totals = {
      since: '2026-11-22T23:00:00.000Z',
      until: '2026-11-23T23:00:00.000Z',
      timeZone: 'Europe/Berlin',
      by: 'till',
      groups,
    } as const;
    const store = { name: 'A & B', address: ['Weg 1'], timeZone: 'Europe/Berlin', language: 'de' } as const;
    const page = totalsPage(totals, store, 0);
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('A &amp; B<br>Weg 1');
    expect(page).toContain('Kasse &lt;b&gt;');
    expect(page).toContain('Zu klären');
    expect(page).toContain('2026-11-23 00:00:00 – 2026-11-24 00:00:00');
    expect(page).not.toMatch(/<script|<b>/);
  });
});

describe('totals of a store', () => {
  const EUR = (minor: number) => ({ minor, currency: 'EUR' });

  it('count what stands at the acquirer, and show the rest apart', async () => {
    const harness = await new SaleHarness().boot();
    const start = harness.clock.nowMs();
    const totals = async (by: 'terminal' | 'till' = 'terminal') =>
      harness.service.totals({ sinceMs: start, untilMs: harness.clock.nowMs() + 1 }, by);
    await harness.sell({ reference: 'A1', amount: EUR(1_000), till: 'front' });
    await harness.sell({ reference: 'A2', amount: EUR(500) });
    await harness.sell({ reference: 'R1', type: 'refund', originalReference: 'A1', amount: EUR(300) });
    await harness.sell({ reference: 'P1', type: 'preauthorization', amount: EUR(2_000) });
    await harness.during(harness.service.capture('P1', EUR(700), { captureReference: 'c1' }));
    await harness.during(harness.service.reverse('A2'));
    const [group] = await totals();
    expect(group).toMatchObject({
      key: '11',
      net: '14.00',
      approved: { count: 2, amount: '17.00' },
      refunded: { count: 1, amount: '3.00' },
      preauthorized: { count: 1, amount: '13.00' },
      reversed: { count: 1, amount: '5.00' },
      waiting: { count: 0 },
      unknown: { count: 0 },
    });
    expect((await totals('till')).map(({ key, approved }) => [key, approved.amount])).toEqual([
      ['', '7.00'],
      ['front', '10.00'],
    ]);
    harness.wire.set('down');
    await harness.sell({ reference: 'O1', amount: EUR(100) });
    expect((await totals())[0]).toMatchObject({
      approved: { amount: '17.00' },
      waiting: { count: 1, amount: '1.00' },
    });
    const reversal = harness.service.reverse('A1');
    await harness.during(reversal);
    expect((await totals())[0]).toMatchObject({
      approved: { amount: '7.00' },
      unknown: { count: 1, amount: '10.00' },
    });
    harness.wire.set('up');
    await harness.clock.advance(60_000);
    expect((await totals())[0]).toMatchObject({
      approved: { count: 2, amount: '8.00' },
      reversed: { count: 2, amount: '15.00' },
      waiting: { count: 0 },
      unknown: { count: 0 },
    });
  });
});
