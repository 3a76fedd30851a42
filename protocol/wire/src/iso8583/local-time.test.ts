import { expect, it } from 'vitest';
import { isTimeZone, localTime } from './local-time.js';

it.each([
  ['20261123012200', 'UTC', '20261123012200'],
  ['20261123012200', 'America/Argentina/Buenos_Aires', '20261122222200'],
  ['20260701120000', 'Europe/Berlin', '20260701140000'],
  ['20261231233000', 'Europe/Berlin', '20270101003000'],
  ['20261025005959', 'Europe/Berlin', '20261025025959'],
  ['20261025010000', 'Europe/Berlin', '20261025020000'],
  ['20260101000000', 'Asia/Kolkata', '20260101053000'],
])('%s in %s is %s', (at, timeZone, local) => {
  expect(localTime(at, timeZone)).toBe(local);
});

it('knows time zones by their names', () => {
  expect(['Europe/Berlin', 'UTC', 'Berlin', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});
