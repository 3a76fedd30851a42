import { describe, expect, it } from 'vitest';
import type { ScheduleRow } from '../../../kernel/store/rows.js';
import { afterRun, dueRun, ended, nextTimes, previewOf, type RunOutcome } from './next-run.js';
import { fieldsOf } from './quartz-expression.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A run of the daily schedule. */
const RUN_MS = Date.UTC(2026, 10, 20, 12);

const DAILY = JSON.stringify(fieldsOf('0 0 12 * * ?'));
const MONTHLY = JSON.stringify(fieldsOf('0 0 12 20 * ?'));
const NEXT_MONTH_MS = Date.UTC(2026, 11, 20, 12);
const row = (more: Partial<ScheduleRow> = {}): ScheduleRow =>
  ({
    ...{ fields: DAILY, timeZone: 'UTC', startMs: 0, endMs: null, state: 'active', descheduledAtMs: null },
    ...{ runAtMs: RUN_MS, dueAtMs: RUN_MS, attempt: 0, leasedBy: 'node', claims: 1 },
    ...more,
  }) as ScheduleRow;

describe('the run of a schedule that is due', () => {
  const due = (nowMs: number, more: Partial<ScheduleRow> = {}) => dueRun(row(more), nowMs);
  const run = (runAtMs: number, missed = 0) => ({ do: 'run', runAtMs, attempt: 0, missed });

  it('is made as long as it is less than a minute late', () => {
    for (const lateMs of [0, MINUTE_MS - 1]) expect(due(RUN_MS + lateMs)).toEqual(run(RUN_MS));
  });

  it.each([
    ['itself, where no other one was missed', MINUTE_MS, 0, 0],
    ['itself, up to the moment in which the next is a minute late', DAY_MS + MINUTE_MS - 1, 0, 0],
    ['the last one of two', DAY_MS + MINUTE_MS, DAY_MS, 1],
    ['the last one of eleven', 10 * DAY_MS + HOUR_MS, 10 * DAY_MS, 10],
  ])('is %s', (_what, lateMs, runMs, missed) => {
    expect(due(RUN_MS + lateMs)).toEqual(run(RUN_MS + runMs, missed));
  });

  it('is none after the end, and the missed ones are counted, up to a thousand', () => {
    const endMs = RUN_MS + 3 * DAY_MS;
    expect(due(endMs, { endMs })).toEqual(run(RUN_MS + 2 * DAY_MS, 2));
    expect(due(endMs + MINUTE_MS, { endMs })).toEqual({ do: 'end', missed: 4 });
    expect(due(RUN_MS + 1_500 * DAY_MS, { endMs })).toEqual({ do: 'end', missed: 1_000 });
    // Late by less than a minute it is made, also after the end.
    expect(due(RUN_MS + 1, { endMs: RUN_MS })).toEqual(run(RUN_MS));
    expect(due(RUN_MS + MINUTE_MS, { endMs: RUN_MS })).toEqual({ do: 'end', missed: 1 });
  });

  it('is none where none is to come', () => {
    expect(due(RUN_MS, { runAtMs: null })).toEqual({ do: 'end', missed: 0 });
  });

  it('is the same one again where it is tried again, however late', () => {
    expect(due(RUN_MS + 9 * DAY_MS, { attempt: 2 })).toEqual({ ...run(RUN_MS), attempt: 2 });
  });
});

describe('after a run', () => {
  const NOW_MS = RUN_MS + 5_000;
  const APPROVED: RunOutcome = { resultCode: '000.100.110', isDeclined: false };
  const declined = (resultCode: string, advice?: string): RunOutcome => ({
    ...{ resultCode, isDeclined: true },
    ...(advice !== undefined && { advice }),
  });
  const FAULT = '900.100.300';
  const NO_MONEY = '800.100.155';
  const after = (outcome: RunOutcome, more: Partial<ScheduleRow> = {}, nowMs = NOW_MS) =>
    afterRun(row({ fields: MONTHLY, ...more }), { runAtMs: RUN_MS }, outcome, nowMs);
  const NEXT = { runAtMs: NEXT_MONTH_MS, attempt: 0, dueAtMs: NEXT_MONTH_MS, state: 'active' };
  const again = (attempt: number, delayMs: number) => ({
    ...{ runAtMs: RUN_MS, attempt, dueAtMs: NOW_MS + delayMs, state: 'active' },
  });

  it('that went well the next one comes, and none after the end', () => {
    expect(after(APPROVED)).toMatchObject(NEXT);
    expect(after(APPROVED, { attempt: 2 })).toMatchObject(NEXT);
    expect(after(APPROVED, { endMs: NEXT_MONTH_MS })).toMatchObject(NEXT);
    const over = { state: 'ended', runAtMs: null, attempt: 0, dueAtMs: null, leasedBy: null };
    expect(after(APPROVED, { endMs: NEXT_MONTH_MS - 1 })).toMatchObject(over);
    expect(after(APPROVED, { endMs: NEXT_MONTH_MS - 1, descheduledAtMs: 1 })).toMatchObject({
      ...over,
      state: 'descheduled',
    });
  });

  it.each([
    [FAULT, [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]],
    ...['152', '155', '162', '163', '176', '179', '203'].map((end): [string, number[]] => [
      `800.100.${end}`,
      [DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
    ]),
    // A card that was stolen, or a refusal for good.
    ['800.100.159', []],
    ['100.380.401', []],
  ])('that failed with %s it is tried again after %j ms', (resultCode, delaysMs) => {
    for (const [attempt, delayMs] of delaysMs.entries())
      expect(after(declined(resultCode), { attempt })).toMatchObject(again(attempt + 1, delayMs));
    expect(after(declined(resultCode), { attempt: delaysMs.length })).toMatchObject(NEXT);
  });

  it('is not tried again where the network says never, or nothing was declined', () => {
    for (const code of [FAULT, NO_MONEY]) {
      expect(after(declined(code, '03'))).toMatchObject(NEXT);
      expect(after({ resultCode: code, isDeclined: false })).toMatchObject(NEXT);
    }
    expect(after(declined(NO_MONEY, '02'))).toMatchObject(again(1, DAY_MS));
  });

  it('is not tried again from the time of the next one on, nor from the end on', () => {
    const dayBefore = NEXT_MONTH_MS - DAY_MS;
    expect(after(declined(NO_MONEY), {}, dayBefore - 1)).toMatchObject({ attempt: 1 });
    expect(after(declined(NO_MONEY), {}, dayBefore)).toMatchObject(NEXT);
    const endMs = NOW_MS + DAY_MS;
    expect(after(declined(NO_MONEY), { endMs: endMs + 1 })).toMatchObject(again(1, DAY_MS));
    expect(after(declined(NO_MONEY), { endMs })).toMatchObject({ state: 'ended', runAtMs: null });
  });

  it('the last of a calendar that ends by itself, none comes unless that one is tried again', () => {
    const last = { fields: JSON.stringify(fieldsOf('0 0 12 20 11 ? 2026')) };
    for (const outcome of [APPROVED, declined('100.380.401')])
      expect(after(outcome, last)).toMatchObject({ state: 'ended', runAtMs: null, dueAtMs: null });
    expect(after(declined(NO_MONEY), last)).toMatchObject(again(1, DAY_MS));
  });

  it('of a card that is there no more none comes', () => {
    expect(after(declined('100.150.202'))).toMatchObject({ state: 'ended', runAtMs: null, dueAtMs: null });
    expect(after(declined('100.150.101'))).toMatchObject(NEXT);
  });
});

describe('the next runs that are shown', () => {
  const preview = (nowMs: number, more: Partial<ScheduleRow> = {}, count = 3) =>
    previewOf(row(more), nowMs, count).map((ms) => (ms - RUN_MS) / DAY_MS);

  it('begin with the one that is to come', () => {
    expect(preview(RUN_MS - 1)).toEqual([0, 1, 2]);
    expect(preview(0)).toEqual([0, 1, 2]);
    expect(preview(RUN_MS)).toEqual([1, 2, 3]);
    expect(preview(0, {}, 1)).toEqual([0]);
  });

  it('begin behind the one that is tried again', () => {
    expect(preview(RUN_MS - DAY_MS, { attempt: 1 })).toEqual([1, 2, 3]);
  });

  it('end with the schedule', () => {
    expect(preview(0, { endMs: RUN_MS + DAY_MS })).toEqual([0, 1]);
    for (const over of [ended(row()), row({ state: 'descheduled' }), row({ runAtMs: null })])
      expect(previewOf(over, 0, 3)).toEqual([]);
  });

  it('are not before the start', () => {
    const plan = { fields: fieldsOf('0 0 12 * * ?'), timeZone: 'UTC', startMs: RUN_MS, endMs: null };
    expect(nextTimes(plan, 0, 2)).toEqual([RUN_MS, RUN_MS + DAY_MS]);
    expect(nextTimes(plan, RUN_MS, 1)).toEqual([RUN_MS + DAY_MS]);
  });
});
