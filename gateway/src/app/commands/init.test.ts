import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabaseUrl } from '../../kernel/store/testing/postgres-server.js';
import { SharedKeyError } from '../../security/shared-keys.js';
import { loadConfig } from '../configuration/config.js';
import { initHome } from './init.js';

let folder: string;
let databaseUrl: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-init-'));
  databaseUrl = await testDatabaseUrl();
});
afterAll(() => rmSync(folder, { recursive: true }));

const node = (name: string) =>
  loadConfig(undefined, { GATEWAY_HOME: join(folder, name), DATABASE_URL: databaseUrl });

it('refuses a second node on a database without the keys of the first, makes none, and takes it with them', async () => {
  await initHome(node('a'));
  const second = initHome(node('b'));
  await expect(second).rejects.toThrow(SharedKeyError);
  await expect(second).rejects.toThrow(/token\.key is missing.*mount the folder "keys".*then run init again/);
  expect(existsSync(join(folder, 'b', 'keys'))).toBe(false);
  cpSync(join(folder, 'a', 'keys'), join(folder, 'b', 'keys'), { recursive: true });
  await initHome(node('b'));
});

it('refuses a node that brings other keys', async () => {
  const other = loadConfig(undefined, { GATEWAY_HOME: join(folder, 'c') });
  await initHome(other);
  await expect(initHome(node('c'))).rejects.toThrow(
    /token\.key is not the key that this database was used with/,
  );
});
