import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Exposure } from '../journal/forward-queue.js';
import type { SaleService, TillEvent } from '../sale/service/sale-service.js';
import type { UplinkState } from '../uplink/uplink.js';
import { HISTORY_LIMITS, StoreHistory } from './store-history.js';

const START = Date.parse('2026-11-23T08:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let clock: VirtualClock;
let tell: (event: TillEvent) => void;
let waiting: Exposure[];
let history: StoreHistory;

beforeEach(() => {
  clock = new VirtualClock(START);
  waiting = [];
  history = new StoreHistory({
    service: {
      status: () => ({ gateway: { state: 'connecting' } }) as ReturnType<SaleService['status']>,
      onEvent: (listener) => {
        tell = listener;
        return () => undefined;
      },
    },
    queue: { depth: () => waiting.length, exposure: () => waiting },
    clock,
  });
});

async function after(ms: number): Promise<void> {
  await clock.advance(ms);
}

function link(state: UplinkState): void {
  tell({ type: 'gateway', atMs: clock.nowMs(), state });
}

function sold(minor: number): void {
  waiting.push({ terminalId: '1001', currency: 'EUR', minor, count: 1 });
  tell({ type: 'sale', id: 1, atMs: clock.nowMs(), step: 'offline-record', sale: {} } as TillEvent);
}

const minutes = (atMs: number) => (atMs - START) / MINUTE_MS;

describe('the history of a store', () => {
  it('lists the state at the start, and each change', async () => {
    await after(MINUTE_MS);
    link('up');
    link('up');
    await after(10 * MINUTE_MS);
    link('down');
    await after(MINUTE_MS);
    sold(950);
    await after(MINUTE_MS);
    const { sinceMs, untilMs, link: links, exposure } = history.view();
    expect([minutes(sinceMs), minutes(untilMs)]).toEqual([0, 13]);
    expect(links.map(({ atMs, state }) => [minutes(atMs), state])).toEqual([
      [0, 'connecting'],
      [1, 'up'],
      [11, 'down'],
    ]);
    expect(exposure.map(({ atMs, ...rest }) => [minutes(atMs), rest])).toEqual([
      [0, { depth: 0, sums: {} }],
      [12, { depth: 1, sums: { EUR: '9.50' } }],
    ]);
  });

  it('keeps the last of changes of the exposure within a minute', async () => {
    await after(MINUTE_MS);
    sold(100);
    await after(1_000);
    sold(100);
    await after(MINUTE_MS);
    sold(100);
    expect(history.view().exposure.map(({ depth, sums }) => [depth, sums.EUR])).toEqual([
      [0, undefined],
      [2, '2.00'],
      [3, '3.00'],
    ]);
  });

  it('begins with what held when it forgot the rest', async () => {
    link('up');
    await after(HOUR_MS);
    link('down');
    await after(HISTORY_LIMITS.maxAgeMs);
    link('up');
    const { sinceMs, link: links } = history.view();
    expect(links.map(({ atMs, state }) => [atMs - sinceMs, state])).toEqual([
      [0, 'down'],
      [HISTORY_LIMITS.maxAgeMs, 'up'],
    ]);
  });

  it('takes what waited before the start, and what waits now without an event', async () => {
    waiting.push({ terminalId: '1001', currency: 'EUR', minor: 950, count: 1 });
    const before = (minutesAgo: number, depth: number) => ({
      atMs: START - minutesAgo * MINUTE_MS,
      depth,
      sums: {},
    });
    history.restore([before(90, 0), before(60, 2)]);
    await after(MINUTE_MS);
    const { sinceMs, link: links, exposure } = history.view();
    expect(minutes(sinceMs)).toBe(-90);
    expect(exposure.map(({ atMs, depth }) => [minutes(atMs), depth])).toEqual([
      [-90, 0],
      [-60, 2],
      [0, 1],
    ]);
    expect(links.map(({ atMs }) => minutes(atMs))).toEqual([0]);
  });

  it('holds no more changes than its limit', async () => {
    for (let at = 0; at < HISTORY_LIMITS.maxChanges; at += 1) {
      await after(1);
      link(at % 2 === 0 ? 'up' : 'down');
    }
    expect(history.view().link).toHaveLength(HISTORY_LIMITS.maxChanges);
  });

  it('is not reordered by a jump of the wall clock', async () => {
    await after(HOUR_MS);
    link('up');
    clock.jumpWall(-2 * HOUR_MS);
    await after(MINUTE_MS);
    link('down');
    const times = history.view().link.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
