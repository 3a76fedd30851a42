import { expect, it } from 'vitest';
import { challengeWindowOf } from './challenge-windows.js';
import { eciOf } from './eci.js';

it.each([
  ['VISA', 'Y', '05'],
  ['AMEX', 'A', '06'],
  ['JCB', 'U', '07'],
  ['MASTER', 'Y', '02'],
  ['MAESTRO', 'A', '01'],
  ['MASTER', 'I', '00'],
  ['VISA', 'N', undefined],
  ['VISA', 'R', undefined],
  [null, undefined, undefined],
])('%s with status %s: ECI %s', (brand, status, eci) => {
  expect(eciOf(brand, status)).toBe(eci);
});

it('reads the size of the challenge window, and fills the screen otherwise', () => {
  expect(['1', '2', '3', '4', '5', '9', undefined].map(challengeWindowOf)).toEqual([
    '01',
    '02',
    '03',
    '04',
    '05',
    '05',
    '05',
  ]);
});
