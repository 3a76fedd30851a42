import type { JournalRow, NewRow } from '@tillbridge/agent/journal/journal.js';
import { Disposition, type Envelope } from '@tillbridge/wire/bridge/messages.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../kernel/seeded-random.js';
import { Trace } from '../kernel/trace.js';
import { NARROW, policyOf } from '../parts/sale-policy.js';
import type { CardTransaction } from './card-recorder.js';
import { OfflineRecorder } from './offline-recorder.js';
import { Recorder } from './recorder.js';

const STORE = 'store-1';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A store that had contact with the gateway at the beginning; cryptograms are the names of the cards that gave them. */
function store() {
  const clock = new VirtualClock();
  const recorder = new Recorder(new Trace(clock));
  const base = policyOf(new SeededRandom('policy')).offline;
  const policy = {
    ...base,
    ...NARROW,
    deferred: { ...base.deferred, ...NARROW.deferred },
    expiryMs: HOUR_MS,
  };
  const transactionOf = (card: string): CardTransaction => ({ card, first: 'TC', isTap: false });
  const cards = { transactionOf };
  const offline = new OfflineRecorder({
    recorder,
    cards,
    clock,
    policy: { ...policy, maxContactAgeMs: HOUR_MS },
  });
  const contact = (timeMs = clock.nowMs(), wallMs = clock.nowMs()) =>
    offline.arrived(STORE, { kind: 'heartbeatAnswer', body: { timeMs } } as Envelope, wallMs);
  let rows = 0;
  const write = (facts: readonly Partial<NewRow>[], wallMs = clock.nowMs()): void => {
    const made = facts.map((fact) => {
      rows += 1;
      const place = { row: rows, atMs: wallMs, sequence: rows, hash: new Uint8Array() };
      return { reference: 'A1', terminalId: '101', kind: '', data: {}, ...fact, ...place } as JournalRow;
    });
    offline.decided(STORE, { atMs: wallMs, rows: made });
    offline.landed(STORE, made);
  };
  let sales = 0;
  const take = (minor: number, card: string, terminalId = '101', wallMs = clock.nowMs()): string => {
    sales += 1;
    const data = { approval: 'card-approved', emv: { ac: card }, amount: { minor, currency: 'EUR' } };
    const row = { kind: 'offline-record', reference: `A${sales}`, messageId: `m${sales}`, terminalId, data };
    write([row], wallMs);
    return `A${sales}`;
  };
  contact();
  return { clock, offline, contact, write, take, breaches: recorder.breaches };
}

describe('offline limits, counted by the record of the checker', () => {
  it('hold for each card on all terminals, until its sales are confirmed', () => {
    const { take, write, breaches } = store();
    take(1_000, 'one', '101');
    take(1_000, 'one', '102');
    write([{ kind: 'acknowledged', reference: 'A1', statusOf: 'm1' }]);
    take(1_000, 'one', '103');
    expect(breaches).toEqual([]);
    take(1_000, 'one', '103');
    expect(breaches).toEqual([expect.stringMatching(/the count of its card is 3, limit 2/)]);
  });

  it.each([
    ['amount of one sale', [9_001]],
    ['sum of its terminal', [9_000, 9_000, 9_000, 9_000]],
    ['count of its terminal', [1, 1, 1, 1, 1, 1, 1]],
  ])('hold for the %s', (what, amounts) => {
    const { take, breaches } = store();
    for (const [at, minor] of amounts.entries()) take(minor, `card ${at}`);
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toContain(what);
  });

  it('take no card that has lost a sale, until staff has acknowledged it', () => {
    const { take, write, breaches } = store();
    take(1_000, 'one');
    write([
      { kind: 'acknowledged', statusOf: 'm1' },
      { kind: 'ended', data: { reason: 'declined-later' } },
    ]);
    take(1_000, 'two');
    expect(breaches).toEqual([]);
    take(1_000, 'one');
    expect(breaches).toEqual([expect.stringMatching(/has lost a sale before/)]);
    write([{ kind: 'late-decline-acknowledged' }, { kind: 'acknowledged', statusOf: 'm3' }]);
    take(1_000, 'one');
    expect(breaches).toHaveLength(1);
  });
});

describe('ages, by the time of the simulation (P6)', () => {
  it('find an approval by a clock that is behind what was known, over a restart too', () => {
    const { clock, offline, contact, take, breaches } = store();
    contact(clock.nowMs(), clock.nowMs() - 2 * MINUTE_MS);
    take(1, 'one', '101', clock.nowMs() - 20_000);
    expect(breaches).toEqual([]);
    clock.jumpWall(2 * MINUTE_MS);
    contact();
    offline.started(STORE);
    take(1, 'two', '101', clock.nowMs() - 2 * MINUTE_MS);
    expect(breaches).toEqual([]);
    contact();
    take(1, 'three', '101', clock.nowMs() - 2 * MINUTE_MS);
    expect(breaches).toEqual([expect.stringMatching(/by a clock 120 s behind/)]);
  });

  it.each([
    [29_500, []],
    [28_500, [expect.stringMatching(/by a clock 34 s behind/)]],
  ])('forget a time that is %i ms ahead of the gateway’s as soon as a store may', (aheadMs, found) => {
    const { clock, contact, write, take, breaches } = store();
    write([{ kind: 'accepted' }], clock.nowMs() + aheadMs);
    contact();
    take(1, 'one', '101', clock.nowMs() + aheadMs - 34_000);
    expect(breaches).toEqual(found);
  });

  it('find an approval by a clock that was set back while the gateway was away', async () => {
    for (const [behindMs, hasStarted, found] of [
      [20_000, false, []],
      [2 * MINUTE_MS, false, [expect.stringMatching(/by a clock 120 s behind/)]],
      // A process without contact to the gateway can know only the times that are on its disk.
      [2 * MINUTE_MS, true, []],
    ] as const) {
      const { clock, offline, take, breaches } = store();
      await clock.advance(10 * MINUTE_MS);
      if (hasStarted) offline.started(STORE);
      take(1, 'one', '101', clock.nowMs() - behindMs);
      expect(breaches).toEqual(found);
    }
  });

  it('find an approval too long after the last contact', async () => {
    const { clock, take, breaches } = store();
    await clock.advance(HOUR_MS);
    take(1, 'one');
    expect(breaches).toEqual([]);
    await clock.advance(MINUTE_MS);
    take(1, 'two');
    expect(breaches).toEqual([expect.stringMatching(/after the last contact/)]);
  });

  it('find a record that expires before its time, at its store or at a gateway whose clock is ahead', async () => {
    const early = [expect.stringMatching(/expires after 60 s, and may wait for 3600 s/)];
    for (const place of ['store', 'gateway']) {
      const { clock, offline, contact, take, write, breaches } = store();
      const reference = take(1, 'one');
      await clock.advance(MINUTE_MS);
      contact(clock.nowMs() + 24 * HOUR_MS);
      const outcome = { disposition: Disposition.DECLINED, resultCode: '100.396.103' };
      const answer = { kind: 'acknowledgement', body: { messageId: 'm1', outcome } } as Envelope;
      if (place === 'store') write([{ kind: 'too-old', reference }]);
      else offline.arrived(STORE, answer, clock.nowMs());
      expect(breaches, place).toEqual(early);
    }
  });

  it('allow the smaller error where the clocks of store and gateway are both wrong', async () => {
    for (const [wallErrorMs, breaches] of [
      [0, 1],
      [20 * MINUTE_MS, 1],
      [30 * MINUTE_MS, 0],
    ] as const) {
      const made = store();
      const reference = made.take(1, 'one');
      await made.clock.advance(30 * MINUTE_MS);
      made.contact(made.clock.nowMs() + 24 * HOUR_MS, made.clock.nowMs() + wallErrorMs);
      made.write([{ kind: 'too-old', reference }], made.clock.nowMs() + wallErrorMs);
      expect(made.breaches, `${wallErrorMs} ms`).toHaveLength(breaches);
    }
  });
});
