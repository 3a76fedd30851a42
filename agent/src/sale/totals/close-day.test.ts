import { describe, expect, it, vi } from 'vitest';
import { JOURNAL_LIMITS } from '../../journal/journal.js';
import { compactSale } from '../records/compacted-sale.js';
import { SaleHarness } from '../sale-harness.test.support.js';
import { DayCloses } from './close-day.js';
import {
  CLOSED_KINDS,
  closedTotals,
  DAY_CLOSE_KINDS,
  DAY_CLOSE_ROW,
  type DayClose,
  dayCloseOf,
  dayCloseRows,
  summed,
} from './day-close.js';
import type { Movement } from './totals.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });

const PERIOD = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

/** Count and amount of a kind, in the only currency. */
function of(close: DayClose, kind: (typeof CLOSED_KINDS)[number]) {
  const [group] = closedTotals(close, 'currency');
  return group && [group[kind].count, group[kind].amount];
}

/** All closes together are the totals of all sales. */
async function expectTotals(harness: SaleHarness): Promise<void> {
  const closes = await harness.service.dayCloses(undefined, 100);
  const together = closedTotals({ movements: closes.flatMap(({ movements }) => movements) }, 'currency');
  const totals = await harness.service.totals(PERIOD, 'currency');
  for (const kind of CLOSED_KINDS)
    expect(together.map((each) => each[kind])).toEqual(totals.map((each) => each[kind]));
}

describe('a day close', () => {
  it('counts what came since the one before, and takes back what was reversed since', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1' });
    await harness.sell({ reference: 'A2', amount: EUR(500) });
    const first = await harness.during(harness.service.closeDay('c-1', 'front-1'));
    expect(first).toMatchObject({ number: 1, till: 'front-1', fromRow: 1 });
    expect([of(first, 'approved'), of(first, 'reversed')]).toEqual([
      [2, '17.34'],
      [0, '0.00'],
    ]);
    await harness.during(harness.service.reverse('A1'));
    await harness.sell({ reference: 'R1', type: 'refund', originalReference: 'A2', amount: EUR(100) });
    const second = await harness.during(harness.service.closeDay('c-2'));
    expect(second).toMatchObject({ number: 2, fromRow: first.toRow + 1, sinceMs: first.untilMs });
    expect([of(second, 'approved'), of(second, 'reversed'), of(second, 'refunded')]).toEqual([
      [-1, '-12.34'],
      [1, '12.34'],
      [1, '1.00'],
    ]);
    const third = await harness.during(harness.service.closeDay('c-3'));
    expect(third.movements).toEqual([]);
    await expectTotals(harness);
  });

  it('is the same one for the same reference, also for two at once and after the end of the process', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1' });
    const [one, same, next] = await harness.during(
      Promise.all(['c-1', 'c-1', 'c-2'].map((reference) => harness.service.closeDay(reference))),
    );
    expect(same).toEqual(one);
    expect(next).toMatchObject({ number: 2, movements: [] });
    await harness.crash();
    expect(await harness.during(harness.service.closeDay('c-1'))).toEqual(one);
    expect(await harness.service.dayCloses(undefined, 10)).toEqual([next, one]);
    expect(await harness.service.dayCloses(2, 10)).toEqual([one]);
  });

  it('carries over what has no end, and counts it in the close after its end', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    expect(await harness.sell({ reference: 'A1', amount: EUR(900) })).toMatchObject({ mode: 'offline-card' });
    const first = await harness.during(harness.service.closeDay('c-1'));
    expect(first).toMatchObject({ movements: [], carriedOver: { waiting: 1, running: 0, parked: 0 } });
    harness.wire.set('up');
    await harness.clock.advance(60_000);
    const second = await harness.during(harness.service.closeDay('c-2'));
    expect(second.carriedOver.waiting).toBe(0);
    expect(of(second, 'approved')).toEqual([1, '9.00']);
    await expectTotals(harness);
  });

  it('keeps the amounts of the newest one for ever, and never shows one without its amounts', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1' });
    const first = await harness.during(harness.service.closeDay('c-1'));
    await harness.sell({ reference: 'A2', amount: EUR(500) });
    const second = await harness.during(harness.service.closeDay('c-2'));
    const compact = (upToRow: number, carry: readonly string[]) =>
      harness.journal.compact({ atMs: harness.clock.nowMs(), upToRow, summarize: compactSale, carry });
    // The amounts stand in front of their close: a step may end between them.
    await compact(harness.journal.head.row - 1, DAY_CLOSE_KINDS);
    expect(await harness.service.dayCloses(undefined, 10)).toEqual([second]);
    await compact(harness.journal.head.row, DAY_CLOSE_KINDS);
    expect(await harness.service.dayCloses(undefined, 10)).toEqual([second]);
    expect(await harness.during(harness.service.closeDay('c-2'))).toEqual(second);
    expect(await harness.during(harness.service.closeDay('c-3'))).toMatchObject({
      number: 3,
      fromRow: second.toRow + 1,
      movements: [],
    });
    expect(first.movements).not.toEqual([]);
  });

  it('whose amounts are removed is neither shown nor made again under its reference', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1' });
    await harness.during(harness.service.closeDay('c-1'));
    const [atMs, upToRow] = [harness.clock.nowMs(), harness.journal.head.row];
    await harness.journal.compact({ atMs, upToRow, summarize: compactSale, carry: [DAY_CLOSE_ROW] });
    expect(await harness.service.dayCloses(undefined, 10)).toEqual([]);
    await expect(harness.service.closeDay('c-1')).rejects.toMatchObject({ code: 'reference-conflict' });
    expect(await harness.during(harness.service.closeDay('c-2'))).toMatchObject({ number: 2 });
  });

  it('that leaves sales to the next one ends with the last row that it covers, not now', async () => {
    const harness = await new SaleHarness().boot();
    const startMs: number[] = [];
    for (const reference of ['A1', 'A2', 'A3']) {
      startMs.push(harness.clock.nowMs());
      await harness.sell({ reference });
      await harness.clock.advance(3_600_000);
    }
    const { journal, clock } = harness;
    const limits = { maxSales: 2, rowsAtOnce: 1 };
    const closes = new DayCloses({ journal, wallMs: () => clock.nowMs(), limits });
    const made: DayClose[] = [];
    for (const reference of ['c-1', 'c-2', 'c-3']) {
      const close = await harness.during(closes.close(reference, undefined));
      if (close) made.push(close);
    }
    // Each takes one sale, and the first row of the next.
    expect(made.map((close) => of(close, 'approved')?.[0])).toEqual([1, 1, 1]);
    expect(made.map(({ untilMs }) => untilMs)).toEqual([...startMs.slice(1), clock.nowMs()]);
    expect(made.map(({ sinceMs }) => sinceMs).slice(1)).toEqual(
      made.map(({ untilMs }) => untilMs).slice(0, 2),
    );
  });

  it('is found among many without a look-up for each', async () => {
    const harness = await new SaleHarness().boot();
    for (let at = 1; at <= 30; at += 1) await harness.during(harness.service.closeDay(`c-${at}`));
    const rowsOfKind = vi.spyOn(harness.journal, 'rowsOfKind');
    expect(await harness.service.dayCloses(2, 1)).toMatchObject([{ number: 1, reference: 'c-1' }]);
    expect(rowsOfKind.mock.calls.length).toBeLessThan(4);
  });

  it('is refused while nothing can be recorded', async () => {
    const harness = await new SaleHarness().boot();
    await harness.journal.close();
    await expect(harness.service.closeDay('c-1')).rejects.toMatchObject({ code: 'journal-unavailable' });
  });

  it('of a large store stays within the limits of a row, and no amount is lost', () => {
    const movements: Movement[] = [];
    for (let terminal = 0; terminal < 64; terminal += 1)
      for (const brand of ['VISA', 'MASTER', 'MAESTRO', 'AMEX'])
        movements.push({
          ...{ kind: 'approved', minor: 999_999_999, currency: 'EUR', till: 'front-1' },
          ...{ terminal: String(terminal).padStart(32, '9'), brand },
        });
    const close = {
      ...{ number: 1, reference: 'c-1', sinceMs: 1, untilMs: 2, fromRow: 1, toRow: 9 },
      carriedOver: { waiting: 0, running: 0, unknown: 0, parked: 0 },
      movements: summed([...movements, ...movements]),
    };
    const rows = dayCloseRows(close);
    expect(rows.length).toBeLessThan(JOURNAL_LIMITS.maxRowsPerWrite);
    for (const { data } of rows)
      expect(JSON.stringify(data).length).toBeLessThan(JOURNAL_LIMITS.maxDataBytes);
    const { movements: stored, ...head } = close;
    const parts = rows.slice(0, -1);
    expect(dayCloseOf({ ...head, parts: parts.length }, parts)?.movements).toEqual(stored);
    expect(dayCloseOf({ ...head, parts: parts.length }, parts.slice(1))).toBeUndefined();
    expect(stored[0]).toMatchObject({ count: 2, minor: 1_999_999_998 });
  });
});
