import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@tillbridge/protocol/platform/config/problems.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SHIPPED_BIN_TABLE } from '../../core/payments/shipped-bin-table.js';
import { NO_IP_COUNTRIES } from '../../features/risk/ip-countries.js';
import { readHomeTables } from './home-tables.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-tables-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const files = () => ({
  binTable: join(home, 'bin-table.json'),
  ipCountries: join(home, 'ip-countries.csv'),
});

it('keeps what ships where the home has no tables', () => {
  expect(readHomeTables(files())).toEqual({ binTable: SHIPPED_BIN_TABLE, ipCountries: NO_IP_COUNTRIES });
});

it('takes the tables of the home', () => {
  writeFileSync(files().binTable, '{"4200":{"issuer":{"bank":"Own"},"type":"DEBIT","level":"GOLD"}}');
  writeFileSync(files().ipCountries, '192.0.2.0,192.0.2.255,DE\n');
  const { binTable, ipCountries } = readHomeTables(files());
  expect(ipCountries('192.0.2.1')).toBe('DE');
  expect(binTable.get('4200')?.issuer.bank).toBe('Own');
});

it('names the file that is wrong', () => {
  writeFileSync(files().binTable, '[]');
  expect(() => readHomeTables(files())).toThrow(ConfigError);
  expect(() => readHomeTables(files())).toThrow(files().binTable);
  rmSync(files().binTable);
  writeFileSync(files().ipCountries, 'nothing');
  expect(() => readHomeTables(files())).toThrow(`${files().ipCountries}: line 1`);
});
