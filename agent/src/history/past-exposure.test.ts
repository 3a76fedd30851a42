import { describe, expect, it } from 'vitest';
import { type NewRow, noSaleRow } from '../journal/journal.js';
import { MemoryJournal } from '../journal/testing/memory-journal.test.support.js';
import { pastExposure } from './past-exposure.js';

const HOUR_MS = 3_600_000;
const SINCE = Date.parse('2026-11-23T08:00:00Z');

const offline = (messageId: string, minor: number): NewRow => ({
  ...{ kind: 'offline-record', reference: messageId, terminalId: '1001', messageId, inStream: true },
  data: { amount: { minor, currency: 'EUR' } },
});
const closed = (messageId: string): NewRow => ({
  ...{ kind: 'acknowledged', reference: messageId, terminalId: '1001', data: {} },
  statusOf: messageId,
});

async function changesAfter(rows: readonly (readonly [hour: number, row: NewRow])[]) {
  const journal = new MemoryJournal();
  for (const [hour, row] of rows) await journal.append({ atMs: SINCE + hour * HOUR_MS, rows: [row] });
  const changes = await pastExposure(journal, SINCE);
  return changes.map(({ atMs, depth, sums }) => [(atMs - SINCE) / HOUR_MS, depth, sums.EUR]);
}

describe('the exposure of the past', () => {
  it('sums the rows of the journal and what waited before', async () => {
    const rows = [
      [-30, offline('long closed', 100)],
      [-29, closed('long closed')],
      [-2, offline('waits from before', 200)],
      [-1, offline('closed since', 300)],
      [1, noSaleRow('contact', {})],
      [2, offline('new', 400)],
      [3, closed('closed since')],
    ] as const;
    expect(await changesAfter(rows)).toEqual([
      [0, 2, '5.00'],
      [2, 3, '9.00'],
      [3, 2, '6.00'],
    ]);
  });

  it('is nothing in an empty journal', async () => {
    expect(await changesAfter([])).toEqual([[0, 0, undefined]]);
  });

  it('keeps the order of the rows where the clock was set back', async () => {
    const rows = [
      [5, offline('first', 100)],
      [4, offline('second', 100)],
    ] as const;
    expect(await changesAfter(rows)).toEqual([
      [0, 0, undefined],
      [5, 1, '1.00'],
      [5, 2, '2.00'],
    ]);
  });
});
