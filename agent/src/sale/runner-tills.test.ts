import { describe, expect, it } from 'vitest';
import { DEFAULT_STORE } from './receipts/store.js';
import { SaleHarness } from './sale-harness.test.support.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });

describe('sales of several tills', () => {
  it('are journaled under the till, also behind a restart', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1', till: 'front' });
    await harness.crash();
    expect(await harness.service.get('A1')).toMatchObject({ outcome: 'approved', till: 'front' });
    const [accepted] = await harness.journal.rowsOf('A1');
    expect(accepted?.data).toMatchObject({ sale: { till: 'front' } });
  });

  it('are joined by their own till and by the store, and by no other', async () => {
    const harness = await new SaleHarness().boot();
    const request = { reference: 'A1', type: 'sale', amount: EUR(1_234) } as const;
    await harness.sell({ reference: 'A1', till: 'front' });
    for (const again of [{ ...request, till: 'front' }, request])
      expect(await harness.service.request(again)).toMatchObject({ outcome: 'approved' });
    await expect(harness.service.request({ ...request, till: 'back' })).rejects.toMatchObject({
      code: 'reference-conflict',
    });
    await harness.sell({ reference: 'S1' });
    await expect(
      harness.service.request({ ...request, reference: 'S1', till: 'back' }),
    ).rejects.toMatchObject({ code: 'reference-conflict' });
    expect(harness.ledger.entries.size).toBe(2);
  });

  it('are listed by time, terminal and till, in pages', async () => {
    const harness = await new SaleHarness({ terminals: ['11', '22'] }).boot();
    const start = harness.clock.nowMs();
    await harness.sell({ reference: 'A1', terminalId: '11', till: 'front' });
    await harness.sell({ reference: 'A2', terminalId: '22', till: 'back' });
    const middle = harness.clock.nowMs();
    await harness.sell({ reference: 'A3', terminalId: '11', till: 'front' });
    const until = harness.clock.nowMs() + 1;
    await harness.crash();
    const list = async (query: object, after = 0, limit = 10) => {
      const range = { sinceMs: start, untilMs: until, ...query };
      const page = await harness.service.sales(range, after, limit);
      return { references: page.sales.map(({ reference }) => reference), next: page.next };
    };
    expect((await list({})).references).toEqual(['A1', 'A2', 'A3']);
    expect((await list({ terminalId: '22' })).references).toEqual(['A2']);
    expect((await list({ till: 'front' })).references).toEqual(['A1', 'A3']);
    expect((await list({ sinceMs: middle })).references).toEqual(['A3']);
    expect((await list({ untilMs: middle })).references).toEqual(['A1', 'A2']);
    const first = await list({}, 0, 2);
    expect(first.references).toEqual(['A1', 'A2']);
    expect(await list({}, first.next, 2)).toEqual({ references: ['A3'], next: undefined });
    expect((await list({ till: 'front' }, 0, 1)).next).toBeDefined();
  });
});

it('a card gets the date and time of the store', async () => {
  const store = { ...DEFAULT_STORE, timeZone: 'Pacific/Auckland' };
  const harness = await new SaleHarness({ store }).boot();
  await harness.clock.advance(Date.parse('2026-11-23T22:30:15Z') - harness.clock.nowMs());
  const driver = harness.driver();
  const { reads } = driver;
  const times: string[] = [];
  driver.reads = (request) => {
    times.push(`${request.date} ${request.time}`);
    return reads(request);
  };
  await harness.sell({ reference: 'A1' });
  expect(times).toEqual(['261124 113015']);
});
