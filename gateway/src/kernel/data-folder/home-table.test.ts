import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBinTable } from '../../core/payments/rules/bin-table.js';
import { readIpCountries } from '../../features/risk/ip-countries.js';
import { readHomeTable } from './home-table.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-tables-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const binTable = () => join(home, 'bin-table.json');
const ipCountries = () => join(home, 'ip-countries.csv');

it('reads nothing where the home has no table', () => {
  expect(readHomeTable(binTable(), readBinTable)).toBeUndefined();
});

it('reads the tables of the home', () => {
  writeFileSync(binTable(), '{"4200":{"issuer":{"bank":"Own"},"type":"DEBIT","level":"GOLD"}}');
  writeFileSync(ipCountries(), '192.0.2.0,192.0.2.255,DE\n');
  expect(readHomeTable(ipCountries(), readIpCountries)?.('192.0.2.1')).toBe('DE');
  expect(readHomeTable(binTable(), readBinTable)?.get('4200')?.issuer.bank).toBe('Own');
});

it('names the file that is wrong', () => {
  writeFileSync(binTable(), '[]');
  expect(() => readHomeTable(binTable(), readBinTable)).toThrow(ConfigError);
  expect(() => readHomeTable(binTable(), readBinTable)).toThrow(binTable());
  writeFileSync(ipCountries(), 'nothing');
  expect(() => readHomeTable(ipCountries(), readIpCountries)).toThrow(`${ipCountries()}: line 1`);
});
