import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Journal } from '../../journal/journal.js';
import { SaleHarness } from '../../sale/sale-harness.test.support.js';
import { type NewZvtRequest, REQUEST_LIMITS, ZVT_REQUEST_ROW, ZvtRequests } from './zvt-requests.js';

const SALE = { till: 'front', terminalId: '11', category: 'sale', minor: 1_000, currency: 'EUR' } as const;

let harness: SaleHarness;
let journal: Journal;
beforeEach(async () => {
  harness = new SaleHarness();
  await harness.boot();
  journal = harness.journal;
});

const open = () =>
  new ZvtRequests({ journal, clock: harness.clock, repeatMs: 600_000, isOpen: async () => false });
const sale = (tillReference: string, terminalId = '11'): NewZvtRequest => ({
  ...SALE,
  ...{ terminalId, tillReference },
});

/** Rows of one write. */
const ROWS_AT_ONCE = 200;

/** Journals requests of a time before this process, as they were numbered then. */
async function journalSales(receipts: readonly number[]): Promise<void> {
  for (let from = 0; from < receipts.length; from += ROWS_AT_ONCE) {
    const rows = receipts.slice(from, from + ROWS_AT_ONCE).map((receipt) => ({
      kind: ZVT_REQUEST_ROW,
      reference: ` zvt ["11","front",${receipt}]`,
      terminalId: '11',
      data: { ...SALE, receipt, reference: `zvt-11-${receipt}` },
    }));
    await journal.append({ atMs: harness.clock.nowMs(), rows });
  }
}

describe('the journal of requests of tills', () => {
  it('is read once while memory has all of it, whatever tills ask for', async () => {
    const requests = open();
    await requests.last(SALE);
    const read = vi.spyOn(journal, 'rowsOfKind');
    for (const reference of ['A', 'B', 'C']) await requests.begin(sale(reference));
    expect((await requests.begin(sale('A'))).isRepeated).toBe(true);
    expect(await requests.ofReceipt('11', 4_711)).toBeUndefined();
    expect(await requests.ofReceipt('11', 2)).toMatchObject({ tillReference: 'B' });
    expect(read).not.toHaveBeenCalled();
  });

  it('is looked through for what memory has lost, and no further than numbers reach', async () => {
    const newest = REQUEST_LIMITS.recent + 3 * REQUEST_LIMITS.page;
    const missing = newest - 10;
    const all = Array.from({ length: newest }, (_none, at) => at + 1);
    await journalSales(all.filter((receipt) => receipt !== missing));
    const requests = open();
    expect(await requests.ofReceipt('11', 7)).toMatchObject({ receipt: 7 });
    const read = vi.spyOn(journal, 'rowsOfKind');
    expect(await requests.ofReceipt('11', newest)).toMatchObject({ receipt: newest });
    expect(read).not.toHaveBeenCalled();
    expect(await requests.ofReceipt('11', missing)).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(1);
  });
});
