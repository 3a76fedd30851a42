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

  it('looks for ranges of six, five and four digits', () => {
    const entry = { issuer: { bank: 'b' }, type: 'CREDIT', level: 'CLASSIC' };
    const table = readBinTable(JSON.stringify({ '4200': entry, '43000': entry, '440000': entry }));
    for (const bin of ['420099', '430009', '440000']) expect(findBin(table, bin)).toBeDefined();
    for (const bin of ['421000', '430010', '440001']) expect(findBin(table, bin)).toBeUndefined();
  });

  it('reads what else a range states', () => {
    const issuer = { bank: 'b', phone: '1', website: 'w' };
    const entry = { issuer, type: 'CREDIT', level: 'CLASSIC', regulatedFlag: true, country: 'DE' };
    expect(findBin(readBinTable(JSON.stringify({ '4200': entry })), '420000')).toEqual({
      ...entry,
      regulatedFlag: 'true',
    });
    const { country: _, ...plain } = { ...entry, issuer: { bank: 'b' } };
    expect(findBin(readBinTable(JSON.stringify({ '4200': plain })), '420000')).toEqual({
      ...plain,
      regulatedFlag: 'true',
    });
  });

  it.each([
    ['{', 'not JSON'],
    ['[]', 'the bin table must be a mapping of leading digits to an object with issuer'],
    ['{"42":{}}', '[42] must be 4 to 6 leading digits, not "42"'],
    ['{"4200000":{}}', '[4200000] must be 4 to 6 leading digits'],
    ['{"x4200":{}}', 'x4200 must be 4 to 6 leading digits'],
    ['{"4200x":{}}', '4200x must be 4 to 6 leading digits'],
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
