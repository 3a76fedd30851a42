import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gatewayProgram } from '../../../app/program.js';
import { entityRow } from '../../../core/entities/entities.js';
import { gatewayFiles } from '../../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../../kernel/data-folder/home.js';
import { SqliteStore } from '../../../kernel/store/sqlite-store.js';
import { ensureKeyFile } from '../../../security/keys/key-file.js';
import { CSV_HEADERS } from '../rules/columns.js';

const ENTITY = 'a'.repeat(32);
const ROW: Readonly<Record<string, string>> = {
  ReconciliationType: 'SETTLED',
  PaymentType: 'DEBIT',
  Cashflow: 'POS',
  ClearingInstituteMerchantId: '4711-0815',
  MerchantAccountId: ENTITY,
  Amount: '12.34',
  Currency: 'EUR',
  SettlementAmount: '12.34',
  SettlementCurrency: 'EUR',
  SettlementFxRate: '1.00',
  SettlementDate: '2026-11-21',
  SettlementStatus: 'SUCCESS',
};

let home: string;
let printed: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-settlement-'));
  vi.stubEnv('GATEWAY_HOME', home);
  prepareHome(home);
  const files = gatewayFiles(home);
  ensureKeyFile(files.tokenKey, systemRandom);
  const store = await SqliteStore.open(files.database);
  await store.commit([{ op: 'insert', table: 'entities', row: entityRow(ENTITY, 'One', null, 1) }]);
  await store.close();
  printed = '';
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

/** Runs `settlement …`; returns what it printed. */
async function settlement(...words: string[]): Promise<unknown> {
  const results: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => results.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    await gatewayProgram().parseAsync(['settlement', ...words], { from: 'user' });
  } finally {
    vi.restoreAllMocks();
  }
  return JSON.parse(results.join(''));
}

function fileOf(...rows: readonly Readonly<Record<string, string>>[]): string {
  const lines = [CSV_HEADERS, ...rows.map((row) => CSV_HEADERS.map((name) => row[name] ?? ''))];
  const path = join(home, 'acquirer.csv');
  writeFileSync(path, lines.map((values) => `${values.join(';')}\n`).join(''));
  return path;
}

it('imports a file, reports what is wrong with its line, and lists what it made', async () => {
  const file = fileOf({ ...ROW, Amount: '1' }, ROW);
  await expect(settlement('import', file)).rejects.toThrow('1 of 2 rows were not imported');
  expect(printed).toMatch(/^line 2: Amount must be an amount with two decimals\nline 3: NOT_MATCHED /);
  expect(await settlement('list', ENTITY)).toMatchObject([
    { testMode: 'EXTERNAL', records: 1, credits: '12.34', net: '12.34', state: 'closed' },
  ]);
  expect(await settlement('import', fileOf(ROW))).toMatchObject({ rows: 1, imported: 0, known: 1 });
  // The file of the merchant comes with the next run.
  expect(await settlement('run')).toMatchObject({
    files: [expect.stringMatching(`^${ENTITY}-\\d{8}-1\\.csv$`)],
  });
});

it('keeps the lines of the file of a host, and its days where all rows could be read', async () => {
  const file = fileOf({ ...ROW, Amount: '1' }, ROW);
  const { database } = gatewayFiles(home);
  await expect(settlement('import', file, '--acquirer', 'EXTERNAL')).rejects.toThrow(
    'no message was ever sent',
  );
  await expect(settlement('import', file, '--day', '2026-11-21')).rejects.toThrow('needs --acquirer');
  const ofHost = ['--acquirer', 'EXTERNAL', '--day'];
  await expect(settlement('import', file, ...ofHost, '2026-11-31')).rejects.toThrow('is no day');
  const store = await SqliteStore.open(database);
  const row = { acquirer: 'EXTERNAL', nextSequence: 1, version: 1 };
  await store.commit([{ op: 'insert', table: 'linkNumbers', row }]);
  await expect(settlement('import', file, ...ofHost, '2026-11-22')).rejects.toThrow('1 of 2 rows');
  expect(await store.findAfter('linkSettled', undefined)).toMatchObject([{ exchange: null, minor: 1_234 }]);
  expect(await store.findAfter('linkFiles', undefined)).toEqual([]);
  await settlement('import', fileOf(ROW), ...ofHost, '2026-11-22');
  const days = async () => (await store.findAfter('linkFiles', undefined)).map(({ day }) => day);
  expect(await days()).toEqual([20261121]);
  // A file without rows states that nothing was settled on its day.
  await settlement('import', fileOf(), ...ofHost, '2026-11-22');
  expect(await days()).toEqual([20261121, 20261122]);
  await store.close();
});

it('imports nothing of a file with a wrong row with --whole', async () => {
  const file = fileOf(ROW, { ...ROW, Currency: 'EURO' });
  await expect(settlement('import', file, '--whole')).rejects.toThrow('nothing was imported');
  expect(printed).toMatch(/^line 3: Currency must be/);
  expect(await settlement('list', ENTITY)).toEqual([]);
});

it('shows and changes how a merchant is settled, and gives it an FTP account', async () => {
  const psp = (await settlement('organisation', '--name', 'PSP')) as { readonly id: string };
  const changed = await settlement('account', ENTITY, '--above', psp.id, '--currency', 'EUR');
  expect(changed).toMatchObject({ merchantId: ENTITY, pspId: psp.id, currency: 'EUR' });
  const account = await settlement('ftp-account', ENTITY);
  expect(account).toMatchObject({ user: ENTITY, password: expect.stringMatching(/^tb_[\w-]{43}$/) });
});

it('sets exchange rates of a file once, and refuses one with a wrong row', async () => {
  const file = join(home, 'rates.csv');
  const rates = (row: string) =>
    writeFileSync(file, `Currency;SettlementCurrency;Rate;ValidFrom;ValidUntil\n${row}\n`);
  rates('USD;EUR;0.923412;2026-11-20;');
  expect(await settlement('rates', 'import', file)).toEqual({ rates: 1, set: 1 });
  expect(await settlement('rates', 'import', file)).toEqual({ rates: 1, set: 0 });
  expect(await settlement('rates', 'list', 'USD')).toMatchObject({ rate: '0.923412', source: 'rates.csv' });
  rates('USD;EUR;zero;2026-11-21;');
  await expect(settlement('rates', 'import', file)).rejects.toThrow('nothing was set');
  expect(printed).toContain('line 2: Rate must be');
  await expect(settlement('rates', 'set', 'USD', 'EUR', '0')).rejects.toThrow('is no rate');
  expect(await settlement('rates', 'set', 'USD', 'EUR', '1', '--from', '2030-01-01')).toEqual({ set: 1 });
  const begun = ['rates', 'remove', 'USD', 'EUR', '--from'];
  await expect(settlement(...begun, '2026-11-20')).rejects.toThrow('has begun');
  expect(await settlement(...begun, '2030-01-01')).toEqual({ removed: 1 });
  expect(await settlement('rates', 'list')).toMatchObject({ rate: '0.923412' });
});
