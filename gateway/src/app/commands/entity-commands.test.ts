import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appSchemesOf } from '../../core/entities/app-schemes.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { SqliteStore } from '../../kernel/store/sqlite-store.js';
import { gatewayProgram } from '../program.js';

interface Shown {
  readonly id: string;
  readonly entityId: string;
  readonly appSchemes: readonly string[];
}

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-entity-'));
  vi.stubEnv('GATEWAY_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

/** Runs `entity …`; returns what it printed. */
async function entity(...words: string[]): Promise<Shown> {
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  await gatewayProgram().parseAsync(['entity', ...words], { from: 'user' });
  return JSON.parse(printed.join('')) as Shown;
}

/** What payments read. */
async function stored(entityId: string): Promise<readonly string[]> {
  const store = await SqliteStore.open(gatewayFiles(home).database);
  return appSchemesOf(store, entityId).finally(() => store.close());
}

it('entity app-schemes sets, shows and takes away the schemes of apps; a channel has those of its merchant', async () => {
  const merchant = (await entity('create', '--name', 'Shop')).id;
  const channel = (await entity('create', '--name', 'Web', '--merchant', merchant)).id;
  expect(await entity('app-schemes', merchant)).toEqual({ entityId: merchant, appSchemes: [] });

  const schemes = ['com.example.shop', 'de.example.kasse'];
  expect(
    await entity('app-schemes', merchant, '--set', 'COM.Example.Shop', 'de.example.kasse', schemes[0] ?? ''),
  ).toEqual({ entityId: merchant, appSchemes: schemes });
  expect(await stored(merchant)).toEqual(schemes);
  expect((await entity('app-schemes', channel)).appSchemes).toEqual(schemes);

  await entity('app-schemes', channel, '--set', 'com.example.web');
  expect(await stored(channel)).toEqual(['com.example.web']);
  expect(await stored(merchant)).toEqual(schemes);

  expect((await entity('app-schemes', channel, '--none')).appSchemes).toEqual([]);
  expect(await stored(channel)).toEqual([]);
  await entity('app-schemes', merchant, '--set', 'com.example.other');
  expect(await stored(merchant)).toEqual(['com.example.other']);
});

it.each(['javascript', 'ms-msdt', 'search-ms', 'shell', 'https', 'com.example shop', '.com.example', 'com.'])(
  'entity app-schemes refuses %s, and changes nothing',
  async (scheme) => {
    const merchant = (await entity('create', '--name', 'Shop')).id;
    await entity('app-schemes', merchant, '--set', 'com.example.shop');
    await expect(entity('app-schemes', merchant, '--set', 'com.example.good', scheme)).rejects.toThrow(
      `${scheme} is no scheme of an app`,
    );
    expect(await stored(merchant)).toEqual(['com.example.shop']);
  },
);

it('entity app-schemes refuses two wishes, too many schemes and an unknown entity', async () => {
  const merchant = (await entity('create', '--name', 'Shop')).id;
  await expect(entity('app-schemes', merchant, '--set', 'com.example.shop', '--none')).rejects.toThrow(
    '--set and --none exclude each other',
  );
  const many = Array.from({ length: 21 }, (_, at) => `com.example.a${at}`);
  await expect(entity('app-schemes', merchant, '--set', ...many)).rejects.toThrow('20 schemes at most');
  expect((await entity('app-schemes', merchant, '--set', ...many.slice(1))).appSchemes).toHaveLength(20);
  for (const words of [['--set', 'com.example.shop'], ['--none'], []])
    await expect(entity('app-schemes', 'f'.repeat(32), ...words)).rejects.toThrow('there is no entity');
});
