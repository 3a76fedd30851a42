import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import type { New } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/host-store.js';
import type { TransactionRow } from '@tillbridge/hardware-sim/hosts/acquirer/rows/tables.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { SeededRandom } from '../kernel/seeded-random.js';
import { Trace } from '../kernel/trace.js';
import { LinkHost } from './link-host.js';
import { LinkJudge } from './link-judge.js';

/** A row as the host books it; `kind` an authorization holds money and stands in no totals. */
function booked(day: string, changes: Partial<TransactionRow> = {}): New<TransactionRow> {
  return {
    ...{ message: 'ECOM0001/1/20261120080122', kind: 'authorization', isAdvice: 0, terminalId: 'ECOM0001' },
    ...{ merchantId: 'MERCHANT-1', rrn: null, card: 'none', last4Digits: '', currency: 'EUR' },
    ...{ requestedMinor: 100, amountMinor: 100, heldMinor: 100, refundedMinor: 0, reversedMinor: 0 },
    ...{ chargedBackMinor: 0, approved: 1, responseCode: '00', answer: '{}', original: null, day, atMs: 0 },
    ...changes,
  };
}

it.each(['authorization', 'sale'] as const)(
  'wants another day to end after a late %s, which the end of the day before has not seen',
  async (kind) => {
    const clock = new VirtualClock();
    const random = new SeededRandom('judge');
    const breach = (text: string): never => expect.fail(text);
    const host = new LinkHost({ clock, random, trace: new Trace(clock), breach, onFault: breach as never });
    const judge = new LinkJudge({ clock, random, host, database: new MemoryStore(), breach });
    await host.cutOver();
    expect(await judge.hasTakenToday()).toBe(false);
    await host.store.addTransaction(booked(await host.day(), { kind, approved: 0 }));
    expect(await judge.hasTakenToday(), 'declined').toBe(false);
    await host.store.addTransaction(booked(await host.day(), { kind, message: 'ECOM0001/2/20261120080122' }));
    expect(await judge.hasTakenToday()).toBe(true);
    await host.cutOver();
    expect(await judge.hasTakenToday()).toBe(false);
  },
);
