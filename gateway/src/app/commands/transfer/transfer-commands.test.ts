import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockHome } from '@tillbridge/platform/home-lock.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openHomeStore } from '../../../kernel/data-folder/open-store.js';
import { testDatabaseUrl } from '../../../kernel/store/testing/postgres-server.js';
import { loadConfig } from '../../configuration/config.js';
import { gatewayProgram } from '../../program.js';
import { seed } from '../seed.js';

let folder: string;
let home: string;
let file: string;
let printed: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-transfer-'));
  [home, file] = [join(folder, 'gateway'), join(folder, 'rows')];
  vi.stubEnv('GATEWAY_HOME', home);
  vi.stubEnv('DATABASE_URL', '');
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) => gatewayProgram().parseAsync([...words], { from: 'user' });

it('moves a home into a PostgreSQL database, and prints what came', async () => {
  const { merchant } = await seed(loadConfig(undefined, process.env));
  await expect(run('import', file)).rejects.toThrow('DATABASE_URL is not set');
  await run('export', file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(printed).toMatch(/^exported gateway\/tokens: 4 rows, [0-9a-f]{64}$/m);
  const exported = printed.replaceAll('exported', 'imported');
  vi.stubEnv('DATABASE_URL', await testDatabaseUrl());
  const other = join(folder, 'other');
  await expect(run('export', other)).rejects.toThrow('no tables of a gateway yet');
  expect(existsSync(other)).toBe(false);
  printed = '';
  await run('import', file);
  expect(printed).toBe(exported);
  const store = await openHomeStore(loadConfig(undefined, process.env));
  expect(await store.get('entities', [merchant.entityId])).toMatchObject({ id: merchant.entityId });
  await store.close();
  printed = '';
  await run('export', other);
  expect(printed.replaceAll('exported', 'imported')).toBe(exported);
  await expect(run('export', other)).rejects.toThrow('is there already');
  const astray = join(folder, 'none', 'rows');
  await expect(run('export', astray)).rejects.toThrow(`${astray} cannot be written (ENOENT)`);
});

it('exports nothing while the gateway of the home runs', async () => {
  await seed(loadConfig(undefined, process.env));
  const lock = await lockHome({ home, program: 'gateway', variable: 'GATEWAY_HOME' });
  await expect(run('export', file)).rejects.toMatchObject({ name: 'HomeInUseError' });
  expect(existsSync(file)).toBe(false);
  await lock.release();
});
