import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { describe, expect, it } from 'vitest';
import { SHIPPED_BIN_TABLE } from '../shipped-bin-table.js';
import { BinTableError, findBin, readBinTable } from './bin-table.js';

describe('the bin table', () => {
  it('knows every test card', () => {
    for (const { pan } of Object.values(TEST_CARDS)) {
      expect(findBin(SHIPPED_BIN_TABLE, pan.slice(0, 6)), pan.slice(0, 6)).toBeDefined();
    }
  });

  it('prefers the longest range', () => {
    const entry = (bank: string) => ({ issuer: { bank }, type: 'CREDIT', level: 'CLASSIC' });
    const table = readBinTable(JSON.stringify({ '4200': entry('wide'), '420001': entry('narrow') }));
    expect(findBin(table, '420001')?.issuer.bank).toBe('narrow');
    expect(findBin(table, '420002')).toMatchObject({ issuer: { bank: 'wide' }, regulatedFlag: 'false' });
    expect(findBin(table, '410000')).toBeUndefined();
  });

  it.each([
    ['{', 'not JSON'],
    ['[]', 'the bin table must be a mapping of leading digits to an object with issuer'],
    ['{"42":{}}', '[42] must be 4 to 6 leading digits, not "42"'],
    ['{"4200":{"type":"CREDIT"}}', '[4200].issuer is missing: expected an object with bank'],
    [
      '{"4200":{"issuer":{"bank":7},"type":"CREDIT","level":"CLASSIC"}}',
      '[4200].issuer.bank must be a text of at most 2048 characters, not 7',
    ],
  ])('refuses %s and names the place', (json, message) => {
    expect(() => readBinTable(json)).toThrow(BinTableError);
    expect(() => readBinTable(json)).toThrow(message);
  });
});
