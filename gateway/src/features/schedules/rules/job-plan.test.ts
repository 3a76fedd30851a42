import { describe, expect, it } from 'vitest';
import { type JobFault, type JobPlan, type JobValues, noticeEnd, planJob, runAfter } from './job-plan.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);

const planned = (job: JobValues, timeZone = 'UTC'): JobPlan => {
  const plan = planJob(job, timeZone, NOW_MS);
  if ('code' in plan) throw new Error(plan.message);
  return plan;
};
const first = (job: JobValues, timeZone?: string) => text(planned(job, timeZone).firstRunMs);

describe('a job', () => {
  it.each<[JobValues, string]>([
    [{ expression: '0 30 9 ? * MON' }, '2026-11-23T09:30:00'],
    // What was not sent has its default: midnight of the first of January, on any weekday.
    [{ year: '*' }, '2027-01-01T00:00:00'],
    [{ hour: '13', month: '*', dayOfMonth: '*' }, '2026-11-20T13:00:00'],
    [{ second: '5', minute: '6', hour: '7' }, '2027-01-01T07:06:05'],
    [{ dayOfMonth: '15', month: '*' }, '2026-12-15T00:00:00'],
    // One day field leaves the day to the other.
    [{ dayOfWeek: 'MON', month: '*' }, '2026-11-23T00:00:00'],
    [{ dayOfWeek: '?', month: '12' }, '2026-12-01T00:00:00'],
    [{ dayOfMonth: '?', month: '12' }, '2026-12-06T00:00:00'],
    [{ dayOfMonth: '?', dayOfWeek: '2', month: '*' }, '2026-11-23T00:00:00'],
    [{ dayOfMonth: '*', dayOfWeek: '2', month: '*' }, '2026-11-23T00:00:00'],
    [{ expression: '0 0 12 * * ?' }, '2026-11-21T12:00:00'],
    [{ expression: '0 0 12 * * ?', startDate: '2026-12-01 12:00:00' }, '2026-12-01T12:00:00'],
    [{ expression: '0 0 12 * * ?', startDate: '2020-01-01 12:00:00' }, '2026-11-21T12:00:00'],
    [{ expression: '0 0 12 * * ?', endDate: '2026-11-21 12:00:00' }, '2026-11-21T12:00:00'],
  ])('%j runs first at %s', (job, expected) => {
    expect(first(job)).toBe(expected);
  });

  it('runs at the time of its zone', () => {
    const job = { expression: '0 0 9 * * ?', startDate: '2026-11-25 09:00:00' };
    expect(first(job, 'Europe/Berlin')).toBe('2026-11-25T08:00:00');
    expect(planned(job, 'Europe/Berlin')).toMatchObject({
      ...{ timeZone: 'Europe/Berlin', startMs: Date.UTC(2026, 10, 25, 8), endMs: null },
    });
  });

  it.each<[JobValues, string | null]>([
    [{}, null],
    [{ endDate: '2026-12-31 00:00:00' }, '2026-12-31T00:00:00'],
    [{ durationNumber: '2', durationUnit: 'YEAR' }, '2028-11-20T12:00:00'],
    [{ durationNumber: '1', durationUnit: 'MONTH' }, '2026-12-20T12:00:00'],
    [{ durationNumber: '1', durationUnit: 'WEEK' }, '2026-11-27T12:00:00'],
    [{ durationNumber: '3', durationUnit: 'DAY' }, '2026-11-23T12:00:00'],
    [{ durationNumber: '36', durationUnit: 'HOUR' }, '2026-11-22T00:00:00'],
    [{ durationNumber: '2880', durationUnit: 'MINUTE' }, '2026-11-22T12:00:00'],
    [{ durationNumber: '172801', durationUnit: 'SECOND' }, '2026-11-22T12:00:01'],
    [{ durationNumber: '100', durationUnit: 'YEAR' }, '2126-11-20T12:00:00'],
    // The earlier one of two.
    [{ endDate: '2026-12-31 00:00:00', durationNumber: '3', durationUnit: 'DAY' }, '2026-11-23T12:00:00'],
    [{ endDate: '2026-11-22 00:00:00', durationNumber: '3', durationUnit: 'DAY' }, '2026-11-22T00:00:00'],
  ])('with %j ends at %s', (more, expected) => {
    const { endMs, startMs } = planned({ expression: '0 0 9 * * ?', ...more });
    expect(startMs).toBe(NOW_MS);
    expect(endMs === null ? null : text(endMs)).toBe(expected);
  });
});

describe('a job is refused', () => {
  const DAILY = { expression: '0 0 9 * * ?' };
  it.each<[JobValues, JobFault['code'], string, string]>([
    [{}, 'job-missing', 'expression', 'must be sent, or second to year of the job'],
    [{ startDate: '2026-12-01 00:00:00' }, 'job-without-times', 'expression', 'one of second to year'],
    [{ dayOfMonth: '?', dayOfWeek: '?' }, 'job-days', 'dayOfWeek', 'must not be ? in both'],
    [{ expression: '0 0 9 ? * ?' }, 'job-days', 'expression', 'must not be ? in both'],
    [{ dayOfMonth: '1', dayOfWeek: 'MON' }, 'job-days', 'dayOfWeek', 'one of "1" and "MON" must be ?'],
    [{ expression: '0 0 9 1 * MON' }, 'job-days', 'expression', 'one of "1" and "MON" must be ?'],
    [{ ...DAILY, durationNumber: '1' }, 'job-duration', 'durationUnit', 'must be sent with durationNumber'],
    [{ ...DAILY, durationUnit: 'DAY' }, 'job-duration', 'durationNumber', 'must be sent with durationUnit'],
    [{ ...DAILY, noticeNumber: '1' }, 'job-notice', 'noticeUnit', 'must be sent with noticeNumber'],
    [{ ...DAILY, noticeUnit: 'DAY' }, 'job-notice', 'noticeNumber', 'must be sent with noticeUnit'],
    [
      { ...DAILY, durationNumber: '0', durationUnit: 'DAY' },
      'job-duration',
      'durationNumber',
      '1 to 36500 DAY',
    ],
    [
      { ...DAILY, durationNumber: '101', durationUnit: 'YEAR' },
      'job-duration',
      'durationNumber',
      '1 to 100 YEAR',
    ],
    [{ ...DAILY, noticeNumber: '0', noticeUnit: 'DAY' }, 'job-notice', 'noticeNumber', '1 to 36500 DAY'],
    ...(
      [
        ['MONTH', 1_200],
        ['WEEK', 5_200],
        ['HOUR', 876_000],
        ['MINUTE', 52_560_000],
        ['SECOND', 3_153_600_000],
      ] satisfies [string, number][]
    ).map(([unit, most]): [JobValues, JobFault['code'], string, string] => [
      { ...DAILY, noticeNumber: String(most + 1), noticeUnit: unit },
      'job-notice',
      'noticeNumber',
      `must be 1 to ${most} ${unit}: 100 years at most`,
    ]),
    [
      { ...DAILY, noticeNumber: '1', noticeUnit: 'DAY', noticeCallable: 'DURATION_END' },
      ...(['job-notice', 'noticeCallable', 'must be ANYTIME'] as const),
    ],
    [
      { dayOfMonth: '30', month: '2' },
      'job-never-runs',
      'dayOfMonth',
      'no day of the month "30" in month "2"',
    ],
    [{ expression: '0 0 9 30 2 ?' }, 'job-never-runs', 'expression', 'no day of the month "30" in month "2"'],
    [
      { expression: '0 0 9 ? 2 2#5 2027' },
      ...(['job-never-runs', 'expression', 'no day of the week "2#5" in month "2" of year "2027"'] as const),
    ],
    [{ year: '2020' }, 'job-never-runs', 'year', 'year "2020": all its times are over'],
    [{ expression: '0 0 9 1 1 ? 2020' }, 'job-never-runs', 'expression', 'all its times are over'],
    [{ ...DAILY, endDate: '2026-11-20 12:00:00' }, 'job-never-runs', 'endDate', 'its end is over'],
    [
      { ...DAILY, startDate: '2020-01-01 00:00:00', durationNumber: '1', durationUnit: 'DAY' },
      ...(['job-never-runs', 'durationNumber', 'its end is over'] as const),
    ],
    [
      { ...DAILY, startDate: '2026-12-02 00:00:00', endDate: '2026-12-01 00:00:00' },
      ...(['job-never-runs', 'endDate', 'it ends before it starts'] as const),
    ],
    [
      { ...DAILY, startDate: '2026-12-01 00:00:00', endDate: '2026-12-01 00:00:00' },
      ...(['job-never-runs', 'expression', 'no time of it is between its start and its end'] as const),
    ],
    [
      { ...DAILY, endDate: '2026-11-21 08:59:59' },
      ...(['job-never-runs', 'expression', 'no time of it is between its start and its end'] as const),
    ],
    // It starts when the calendar has ended, and has no end of its own.
    [
      { ...DAILY, startDate: '2100-01-01 00:00:00' },
      ...(['job-never-runs', 'expression', 'no time of it is between its start and its end'] as const),
    ],
    [
      { hour: '9', month: '*', dayOfMonth: '*', endDate: '2026-11-21 08:59:59' },
      ...(['job-never-runs', 'dayOfMonth', 'no time of it is between'] as const),
    ],
  ])('with %j: %s of %s', (job, code, parameter, message) => {
    expect(planJob(job, 'UTC', NOW_MS)).toEqual({
      code,
      parameter,
      message: expect.stringContaining(message),
    });
  });

  it.each(['DURATION_END', 'ANYTIME'])(
    'in nothing with a notice that is callable %s, where it ends',
    (noticeCallable) => {
      for (const end of [{ endDate: '2027-01-01 00:00:00' }, { durationNumber: '1', durationUnit: 'YEAR' }])
        expect(planJob({ ...DAILY, ...end, noticeCallable }, 'UTC', NOW_MS)).not.toHaveProperty('code');
      expect(planJob({ ...DAILY, noticeCallable: 'ANYTIME' }, 'UTC', NOW_MS)).not.toHaveProperty('code');
    },
  );
});

it('a run comes after a time, not before the start and not after the end', () => {
  const { firstRunMs: _, ...times } = planned({ expression: '0 0 12 * * ?' });
  const plan = { ...times, startMs: NOW_MS, endMs: NOW_MS + 2 * DAY_MS };
  expect(runAfter(plan, 0)).toBe(NOW_MS);
  expect(runAfter(plan, NOW_MS - 1)).toBe(NOW_MS);
  expect(runAfter(plan, NOW_MS)).toBe(NOW_MS + DAY_MS);
  expect(runAfter(plan, NOW_MS + DAY_MS)).toBe(NOW_MS + 2 * DAY_MS);
  expect(runAfter(plan, NOW_MS + 2 * DAY_MS)).toBeUndefined();
  expect(runAfter({ ...plan, endMs: null }, NOW_MS + 2 * DAY_MS)).toBe(NOW_MS + 3 * DAY_MS);
});

describe('a job that is descheduled', () => {
  const end = (job: JobValues, endMs: number | null) => noticeEnd(job, { timeZone: 'UTC', endMs }, NOW_MS);
  const NOTICE = { noticeNumber: '2', noticeUnit: 'DAY' };
  const callable = 'DURATION_END';

  it.each<[string, JobValues, number | null, number | undefined]>([
    ['at once without a notice', {}, null, undefined],
    ['at once without a notice, also before its end', {}, NOW_MS + DAY_MS, undefined],
    ['after its notice', NOTICE, null, NOW_MS + 2 * DAY_MS],
    ['at its end, where that comes before', NOTICE, NOW_MS + DAY_MS, NOW_MS + DAY_MS],
    ['after its notice, where its end comes later', NOTICE, NOW_MS + 9 * DAY_MS, NOW_MS + 2 * DAY_MS],
    ['at its end alone', { ...NOTICE, noticeCallable: callable }, NOW_MS + 9 * DAY_MS, NOW_MS + 9 * DAY_MS],
    ['at its end without a notice', { noticeCallable: callable }, NOW_MS + DAY_MS, NOW_MS + DAY_MS],
    [
      'after its notice where it has no end',
      { ...NOTICE, noticeCallable: callable },
      null,
      NOW_MS + 2 * DAY_MS,
    ],
    ['at once with a notice that is none', { noticeNumber: '2' }, null, undefined],
  ])('ends %s', (_what, job, endMs, expected) => {
    expect(end(job, endMs)).toBe(expected);
  });
});
