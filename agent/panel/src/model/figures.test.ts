import { describe, expect, it } from 'vitest';
import type { History, Queue, Status } from '../api/answers.js';
import { digitsFor, digitsOf, typed, typedAmount } from './amount-entry.js';
import { historyChart } from './history-chart.js';
import { limitsOf } from './limits.js';

describe('an amount that is typed', () => {
  it('grows from the right, as on a terminal', () => {
    const keys = ['0', '1', '2', '3', '00', 'back'];
    const digits = keys.reduce((now, key) => typed(now, key), '');
    expect([digits, typedAmount(digits, 'EUR')]).toEqual(['1230', '12.30']);
    expect([typedAmount('', 'EUR'), typedAmount('7', 'EUR'), typedAmount('700', 'JPY')]).toEqual([
      '0.00',
      '0.07',
      '700',
    ]);
  });

  it('takes no more digits than amounts have', () => {
    expect(typed('123456789012', '9')).toBe('123456789012');
    expect(digitsOf('€ 12,345,678,901.00')).toBe('123456789010');
  });

  it.each([
    ['100.00', 'JPY', '100', '100'],
    ['12.34', 'EUR', '1234', '12.34'],
    ['1234567.89', 'EUR', '123456789', '1234567.89'],
    ['5', 'EUR', '500', '5.00'],
    ['1.23', 'KWD', '123', '1.23'],
    ['12.34', 'CLF', '1234', '12.34'],
    // Browsers show forints without decimals; the currency has two.
    ['12.34', 'HUF', '1234', '12.34'],
  ])('begins with %s %s as the digits %s, which mean it', (amount, currency, digits, meant) => {
    expect(digitsFor(amount, currency)).toBe(digits);
    expect(typedAmount(digits, currency)).toBe(meant);
  });
});

describe('the limits of offline sales', () => {
  const queue = {
    limitsLeft: [
      {
        terminalId: '1001',
        currency: 'EUR',
        amount: '2490.50',
        count: 59,
        deferred: { amount: '100.00', count: 9 },
      },
      { terminalId: '1001', currency: 'USD', amount: '2500.00', count: 59 },
      { terminalId: '1001', currency: 'CHF', amount: '0.00', count: 59 },
      { terminalId: '1002', currency: 'EUR', amount: '2500.00', count: 60 },
    ],
  } as unknown as Queue;
  const value = (name: string, text: string) => ({ name, value: text, setBy: 'agent' as const });
  const policy: Status['policy'] = {
    values: [
      value('offline.sum.EUR', '2500.00'),
      value('offline.sum.USD', '2500.00'),
      value('offline.sum.CHF', '2500.00'),
      value('deferred.sum.EUR', '250.00'),
      value('offline.maxCount', '60'),
    ],
  };

  it('are those of the currency of the store, and of others that are used', () => {
    expect(
      limitsOf(queue, policy, '1001', 'EUR').map(({ label, text, tone }) => [
        label,
        text.replace(/\s/g, ' '),
        tone,
      ]),
    ).toEqual([
      ['Offline sales in EUR', '€2,490.50 of €2,500.00 left', 'good'],
      ['Of it deferred, EUR', '€100.00 of €250.00 left', 'good'],
      ['Offline sales in CHF', 'CHF 0.00 of CHF 2,500.00 left', 'bad'],
      ['Number of offline sales', '59 of 60 left', 'good'],
    ]);
  });

  it('are none where nothing is sold offline', () => {
    expect(limitsOf({ ...queue, limitsLeft: [] }, policy, '1001', 'EUR')).toEqual([]);
  });
});

describe('the chart of the last hours', () => {
  const at = (hour: string) => `2026-11-23T${hour}:00.000Z`;
  const history: History = {
    since: at('07:00'),
    until: at('12:00'),
    link: [
      { at: at('07:00'), state: 'up' },
      { at: at('09:00'), state: 'down' },
      { at: at('09:30'), state: 'up' },
    ],
    exposure: [
      { at: at('07:00'), depth: 0, sums: {} },
      { at: at('09:06'), depth: 1, sums: { EUR: '10.00' } },
      { at: at('09:18'), depth: 2, sums: { EUR: '40.00', USD: '99.00' } },
      { at: at('09:30'), depth: 0, sums: {} },
    ],
  };

  it('has an unknown part where the agent was not there', () => {
    const { spans, knownSeconds, downSeconds, interruptions } = historyChart(history, 10, 'EUR');
    expect(spans.map(({ from, to, state }) => [from.toFixed(2), to.toFixed(2), state])).toEqual([
      ['0.00', '0.50', 'unknown'],
      ['0.50', '0.70', 'up'],
      ['0.70', '0.75', 'down'],
      ['0.75', '1.00', 'up'],
    ]);
    expect([knownSeconds, downSeconds, interruptions]).toEqual([5 * 3_600, 30 * 60, 1]);
  });

  it('counts what was before its time no more, and shows the exposure of one currency', () => {
    const { spans, exposures, downSeconds } = historyChart(history, 2.75, 'EUR');
    expect(spans[0]).toMatchObject({ from: 0, state: 'down' });
    expect(downSeconds).toBe(15 * 60);
    expect(exposures.map(({ currency, highest }) => [currency, highest])).toEqual([
      ['EUR', '40.00'],
      ['USD', '99.00'],
    ]);
    expect(exposures[0]?.points.map(({ amount }) => amount)).toEqual([0.25, 1, 0]);
    const [later] = historyChart(history, 2, 'EUR').exposures;
    expect([later?.highest, later?.points.length]).toEqual([undefined, 1]);
  });

  it('shows currencies that occur where the store has no currency', () => {
    const { exposures } = historyChart(history, 10, undefined);
    expect(exposures.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
  });

  it('knows nothing of the link before its first entry', () => {
    const [first] = history.link;
    const { spans, knownSeconds } = historyChart(
      { ...history, link: first ? [{ ...first, at: at('11:00') }] : [] },
      4,
      'EUR',
    );
    expect(spans.map(({ state }) => state)).toEqual(['unknown', 'up']);
    expect(knownSeconds).toBe(3_600);
  });
});
