import { expect, it } from 'vitest';
import { addTime, instantOfLocal, isTimeZone, localText, offsetText, startOfDay } from './local-time.js';

const BERLIN = 'Europe/Berlin';
const utc = (ms: number) => new Date(ms).toISOString().slice(0, 19);

it.each([
  ['2026-11-23', '2026-11-22T23:00:00'],
  ['2026-07-01 10:00:00', '2026-07-01T08:00:00'],
  ['2026-10-25T02:30', '2026-10-25T00:30:00'],
  ['2026-03-29T02:30', '2026-03-29T01:30:00'],
])('%s in Berlin is %s in UTC', (text, instant) => {
  expect(utc(instantOfLocal(text, BERLIN))).toBe(instant);
});

it.each(['2026-02-30', '2026-11-23T24:30', 'soon'])('refuses %s', (text) => {
  expect(() => instantOfLocal(text, BERLIN)).toThrow(RangeError);
});

it('shows what a wall clock shows, and how far it is from UTC', () => {
  const atMs = Date.parse('2026-10-25T00:30:00.999Z');
  expect(localText(atMs, BERLIN)).toBe('2026-10-25 02:30:00');
  expect(offsetText(atMs, BERLIN)).toBe('2026-10-25 02:30:00+0200');
  expect(offsetText(atMs, 'America/St_Johns')).toBe('2026-10-24 22:00:00-0230');
});

it('adds months by the calendar and hours by the clock', () => {
  const endOfJanuary = instantOfLocal('2026-01-31 12:00:00', BERLIN);
  expect(localText(addTime(endOfJanuary, { months: 1 }, BERLIN), BERLIN)).toBe('2026-02-28 12:00:00');
  const beforeSummer = instantOfLocal('2026-03-28 12:00:00', BERLIN);
  expect(localText(addTime(beforeSummer, { days: 1 }, BERLIN), BERLIN)).toBe('2026-03-29 12:00:00');
  expect(localText(addTime(beforeSummer, { hours: 24 }, BERLIN), BERLIN)).toBe('2026-03-29 13:00:00');
});

it('begins a day whose midnight is skipped with its first instant', () => {
  const noon = Date.parse('2026-09-06T15:00:00Z');
  expect(utc(startOfDay(noon, 'America/Santiago'))).toBe('2026-09-06T04:00:00');
});

it('knows the zones of the IANA database', () => {
  expect(isTimeZone(BERLIN)).toBe(true);
  expect(isTimeZone('Europe/Nowhere')).toBe(false);
});
