import { expect, test } from 'vitest';
import { maskedForms } from './masked-forms.js';

const TEXTS = [
  [';420000******0075=3112101********?*', ';d6*d4=d7*?*'],
  [';420000******0075=3112***********?', ';d6*d4=d4*?'],
  ['420000******0075', 'd6*d4'],
  ['457199XXXXXX7304', 'd6Xd4'],
] as const;

test.each(TEXTS)('%s has the form %s', (text, form) => {
  expect(maskedForms(Buffer.from(`\x02${text}\x03`, 'latin1'))).toEqual([form]);
});

test('packed digits are looked at too', () => {
  expect(maskedForms(Buffer.from('A1105413CCCCCCCC1513D2012CCCCCCCCCCC', 'hex'))).toEqual(['d6Cd4Dd4C']);
});

test('a number in clear and enciphered bytes have no form', () => {
  expect(maskedForms(Buffer.from('4200000000000075=31121011234567', 'latin1'))).toEqual([]);
  expect(maskedForms(Buffer.from('FFFF9877543210E00001C1189F02', 'hex'))).toEqual([]);
});
