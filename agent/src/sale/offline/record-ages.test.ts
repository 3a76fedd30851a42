import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { AT } from '../sale.test.support.js';
import { RecordAges } from './record-ages.js';
import { TimeFloor } from './time-floor.js';

const HOUR_MS = 3_600_000;
const RECORD = { messageId: 'o1', atMs: AT };

let clock: VirtualClock;
let time: TimeFloor;
let ages: RecordAges;
beforeEach(() => {
  clock = new VirtualClock(AT);
  time = new TimeFloor(clock);
  ages = new RecordAges(clock, time);
});

describe('a record of this process', () => {
  it('is as old as the monotonic clock counts, whatever the wall clock does', async () => {
    ages.booted([]);
    time.noteGatewayTime(AT);
    ages.keep([RECORD]);
    await clock.advance(HOUR_MS);
    clock.jumpWall(HOUR_MS / 2);
    expect(ages.ownMs(RECORD)).toBe(HOUR_MS);
  });

  it('keeps its age in another instance of the process, which has started before', async () => {
    ages.booted([]);
    ages.keep([RECORD]);
    await clock.advance(HOUR_MS);
    clock.jumpWall(HOUR_MS / 2);
    time.noteGatewayTime(clock.nowMs());
    const next = new RecordAges(clock, time, ages.seen);
    expect(next.ownMs(RECORD)).toBe(HOUR_MS);
    expect(next.ownMs({ messageId: 'o2', atMs: AT })).toBe(0);
  });

  it('is forgotten when it waits no more', async () => {
    ages.booted([]);
    ages.keep([RECORD]);
    ages.keep([]);
    expect([...ages.seen.keys()]).toEqual([]);
    await clock.advance(HOUR_MS);
    expect(ages.ownMs(RECORD)).toBe(0);
  });
});

describe('a record of an earlier process', () => {
  it('is as old as the wall clock counts, where that agrees with the gateway’s', async () => {
    await clock.advance(HOUR_MS);
    ages.booted([RECORD]);
    expect(ages.ownMs(RECORD)).toBe(0);
    time.noteGatewayTime(clock.nowMs() + HOUR_MS);
    expect(ages.ownMs(RECORD)).toBe(HOUR_MS);
    time.noteGatewayTime(clock.nowMs() + HOUR_MS + 1);
    expect(ages.ownMs(RECORD)).toBe(0);
  });

  it('is no younger than the monotonic clock counts', async () => {
    ages.booted([RECORD]);
    await clock.advance(2 * HOUR_MS);
    clock.jumpWall(-HOUR_MS);
    time.noteGatewayTime(clock.nowMs());
    expect(ages.ownMs(RECORD)).toBe(2 * HOUR_MS);
  });
});

it('is surely as old as both clocks count', async () => {
  ages.booted([]);
  ages.keep([RECORD]);
  await clock.advance(HOUR_MS);
  expect(ages.sureMs(RECORD)).toBe(0);
  time.noteGatewayTime(AT + HOUR_MS / 2);
  expect(ages.sureMs(RECORD)).toBe(HOUR_MS / 2);
  time.noteGatewayTime(AT + 2 * HOUR_MS);
  expect(ages.sureMs(RECORD)).toBe(HOUR_MS);
});
