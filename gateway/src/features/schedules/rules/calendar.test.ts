import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarOf } from './calendar.js';
import { enumerated } from './calendar-oracle.test.support.js';
import { fieldsOf } from './quartz-expression.js';

const timesOf = (expression: string, from: string, count: number, timeZone = 'UTC') =>
  calendarOf(fieldsOf(expression), timeZone)
    .next(Date.parse(from), count)
    .map((ms) => new Date(ms).toISOString().slice(0, 19));

describe('the meaning of Quartz', () => {
  it.each([
    [
      'a bare L as the day of the week is Saturday',
      '0 0 9 ? * L',
      '2026-11-20T00:00:00Z',
      '2026-11-21T09:00:00',
    ],
    ['1 is Sunday', '0 0 9 ? * 1', '2026-11-20T00:00:00Z', '2026-11-22T09:00:00'],
    ['names are days', '0 0 9 ? * MON-WED', '2026-11-20T00:00:00Z', '2026-11-23T09:00:00'],
    ['6L is the last Friday of the month', '0 0 9 ? * 6L', '2026-11-20T00:00:00Z', '2026-11-27T09:00:00'],
    ['6#3 is the third Friday', '0 0 9 ? * 6#3', '2026-11-21T00:00:00Z', '2026-12-18T09:00:00'],
    [
      '2#5 leaves months out that have no fifth Monday',
      '0 0 9 ? * 2#5',
      '2026-12-01T00:00:00Z',
      '2027-03-29T09:00:00',
    ],
    ['L is the last day of the month', '0 0 9 L * ?', '2027-02-01T00:00:00Z', '2027-02-28T09:00:00'],
    ['L is the 29th in a leap year', '0 0 9 L * ?', '2028-02-01T00:00:00Z', '2028-02-29T09:00:00'],
    ['31 leaves shorter months out', '0 0 9 31 * ?', '2026-11-20T00:00:00Z', '2026-12-31T09:00:00'],
    ['29 February comes in leap years', '0 0 9 29 2 ?', '2026-11-20T00:00:00Z', '2028-02-29T09:00:00'],
    ['LW is the last working day', '0 0 9 LW * ?', '2027-01-30T00:00:00Z', '2027-02-26T09:00:00'],
    ['15W goes back from Saturday', '0 0 9 15W 8 ?', '2026-07-01T00:00:00Z', '2026-08-14T09:00:00'],
    ['15W goes on from Sunday', '0 0 9 15W 11 ?', '2026-07-01T00:00:00Z', '2026-11-16T09:00:00'],
    ['1W never goes into the month before', '0 0 9 1W 8 ?', '2026-07-01T00:00:00Z', '2026-08-03T09:00:00'],
    [
      '5/20 begins at 5 and goes on to the end',
      '0 5/20 9 ? * ?',
      '2026-11-20T09:06:00Z',
      '2026-11-20T09:25:00',
    ],
    [
      'a step beyond the end leaves the first value',
      '0 */90 9 ? * ?',
      '2026-11-20T00:00:00Z',
      '2026-11-20T09:00:00',
    ],
    ['the year may be left out', '0 0 0 1 1 ?', '2026-11-20T00:00:00Z', '2027-01-01T00:00:00'],
    [
      'a step over all years begins with the first',
      '0 0 0 1 1 ? */3',
      '2026-11-20T00:00:00Z',
      '2027-01-01T00:00:00',
    ],
    ['a step goes on from a name', '0 0 9 ? * TUE/3', '2026-11-21T00:00:00Z', '2026-11-24T09:00:00'],
    ['the year counts', '0 0 0 1 1 ? 2030/10', '2026-11-20T00:00:00Z', '2030-01-01T00:00:00'],
  ])('%s: %s', (_, expression, from, expected) => {
    expect(timesOf(expression, from, 1)).toEqual([expected]);
  });

  it('has no time where the calendar has no such day, and finds it out soon', () => {
    expect(timesOf('0 0 9 30 2 ?', '2026-11-20T00:00:00Z', 1)).toEqual([]);
    expect(timesOf('0 0 9 29 2 ? 2027', '2026-11-20T00:00:00Z', 1)).toEqual([]);
  });

  it('ends with the year 2099', () => {
    expect(timesOf('0 0 0 31 12 ?', '2099-12-01T00:00:00Z', 2)).toEqual(['2099-12-31T00:00:00']);
  });
});

describe('daylight saving', () => {
  it('runs after the gap at a time that is left out', () => {
    expect(timesOf('0 30 2 * * ?', '2026-03-28T12:00:00Z', 2, 'Europe/Berlin')).toEqual([
      '2026-03-29T01:00:00',
      '2026-03-30T00:30:00',
    ]);
  });

  it('runs once at a time that comes twice', () => {
    expect(timesOf('0 30 2 * * ?', '2026-10-24T12:00:00Z', 2, 'Europe/Berlin')).toEqual([
      '2026-10-25T00:30:00',
      '2026-10-26T01:30:00',
    ]);
  });

  it('follows the clock where the hour has a step', () => {
    const times = timesOf('0 0 */2 * * ?', '2026-10-24T23:30:00Z', 3, 'Europe/Berlin');
    expect(times).toEqual(['2026-10-25T00:00:00', '2026-10-25T01:00:00', '2026-10-25T03:00:00']);
  });

  it('follows the clock where the hour is a wildcard', () => {
    const times = timesOf('0 0 * * * ?', '2026-10-24T23:30:00Z', 4, 'Europe/Berlin');
    expect(times).toEqual([
      '2026-10-25T00:00:00',
      '2026-10-25T01:00:00',
      '2026-10-25T02:00:00',
      '2026-10-25T03:00:00',
    ]);
  });
});

describe('upTo', () => {
  it('takes the time itself, and else the last one before', () => {
    const calendar = calendarOf(fieldsOf('0 0 9 * * ?'), 'UTC');
    const nine = Date.parse('2026-11-20T09:00:00Z');
    expect(calendar.upTo(nine)).toBe(nine);
    expect(calendar.upTo(nine + 999)).toBe(nine);
    expect(calendar.upTo(nine - 1)).toBe(nine - 24 * 3_600_000);
    expect(calendarOf(fieldsOf('0 0 9 * * ? 2030'), 'UTC').upTo(nine)).toBeUndefined();
  });
});

const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
const item = (min: number, max: number) =>
  fc.oneof(
    number(min, max),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.tuple(number(min, max), number(1, max + 5)).map(([from, step]) => `${from}/${step}`),
    number(1, max + 5).map((step) => `*/${step}`),
  );
const list = (min: number, max: number) =>
  fc.array(item(min, max), { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
const field = (min: number, max: number) => fc.oneof(fc.constant('*'), list(min, max));
const days = fc.oneof(
  fc.tuple(
    fc.oneof(field(1, 31), fc.constantFrom('L', 'LW', '1W', '15W', '30W', '31W', '15,L')),
    fc.constantFrom('?', '*'),
  ),
  fc.tuple(
    fc.constantFrom('?', '*'),
    fc.oneof(
      list(1, 7),
      fc.constantFrom('L', 'SUN', 'MON-FRI', '1L', '6L', '7L', '2#1', '6#3', '1#5', 'TUE,L'),
    ),
  ),
);
/** Windows of two days: usual ones, ends of months, leap days, and days on which the clocks are changed. */
const window = fc.constantFrom(
  ['2026-11-28T00:00:00Z', 'UTC'],
  ['2028-02-27T12:00:00Z', 'Asia/Kolkata'],
  ['2027-02-26T05:00:00Z', 'America/New_York'],
  ['2026-03-27T22:00:00Z', 'Europe/Berlin'],
  ['2026-10-23T22:00:00Z', 'Europe/Berlin'],
  ['2026-03-06T12:00:00Z', 'America/New_York'],
  ['2026-10-30T12:00:00Z', 'America/New_York'],
  ['2026-04-03T12:00:00Z', 'Australia/Lord_Howe'],
  ['2026-10-02T12:00:00Z', 'Australia/Lord_Howe'],
);
const WINDOW_MS = 2 * 24 * 3_600_000;

describe('compared with every second of a time', () => {
  it('runs at the same seconds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('0', '30', '15,45'),
        fc.oneof(number(0, 59), list(0, 59)),
        fc.oneof(fc.constantFrom('2', '1', '3', '*'), list(0, 23)),
        days,
        fc.constantFrom('*', '2,3,4,10,11', '1-12/2', '3'),
        fc.constantFrom('*', '2026-2028', '2026/2'),
        window,
        (second, minute, hour, [dayOfMonth, dayOfWeek], month, year, [from, timeZone]) => {
          const fields = { second, minute, hour, dayOfMonth, month, dayOfWeek, year };
          const fromMs = Date.parse(from);
          const expected = enumerated(fields, timeZone, fromMs, fromMs + WINDOW_MS);
          const times = calendarOf(fields, timeZone).next(fromMs - 1, expected.length + 1);
          const inside = times.filter((ms) => ms < fromMs + WINDOW_MS);
          expect(inside).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  });
});
