import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withHomeStore } from '../../kernel/commands/command.js';
import type { Store } from '../../kernel/store/store.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import { openSecurityModule } from '../../security/open-security-module.js';
import {
  openSoftHsm,
  SOFTHSM_LIBRARY,
  TOKEN,
  TOKEN_SKIP_REASON,
} from '../../security/security-backends.test.support.js';
import { securityFiles } from '../../security/security-files.js';
import type { StoredDataKeys } from '../../security/vault/stored-data-keys.js';
import { AesGcmVault } from '../../security/vault/vault-aes-gcm.js';
import { ENTITY_ROWS, intentOf } from '../../security/vault/vault-rows.test.support.js';
import { loadConfig } from '../configuration/config.js';
import { gatewayProgram } from '../program.js';
import { listAudit } from './audit-command.js';
import { initHome } from './init.js';
import type { VaultStatus } from './vault.js';

const PAN = '4200000000000000';
const account = { pan: PAN, expiryYear: '2031', expiryMonth: '12' };

let home: string;
let printed: { out: string; err: string };
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-vault-'));
  vi.stubEnv('GATEWAY_HOME', home);
  await initHome(config());
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

const config = () => loadConfig(undefined, process.env);

/** Runs a command in this process; gives what it printed as JSON. */
async function vault(...args: string[]): Promise<unknown> {
  printed = { out: '', err: '' };
  const into = (name: 'out' | 'err') => (text: string | Uint8Array) => {
    printed[name] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
  ];
  try {
    await gatewayProgram().parseAsync(['vault', ...args], { from: 'user' });
    return JSON.parse(printed.out);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const status = async (): Promise<VaultStatus> => (await vault('status')) as VaultStatus;

/** Does work as a gateway on the home does. */
async function onHome<T>(work: (keys: StoredDataKeys, store: Store) => Promise<T>): Promise<T> {
  const { token } = config();
  const files = securityFiles(home);
  const module = openSecurityModule({ files, mode: 'test', random, ...(token && { token }) });
  try {
    return await withHomeStore(config(), async (store) =>
      work(await openDataKeys(module, { store, random, clock }), store),
    );
  } finally {
    module.close();
  }
}

const vaultOf = (keys: StoredDataKeys, store: Store) =>
  new AesGcmVault({ dataKeys: keys.ring, store, random, clock });

/** Puts card data into the vault; gives its id. */
function seal(): Promise<string> {
  return onHome(async (keys, store) => {
    const row = vaultOf(keys, store).seal(account, { entityId: 'e1', intentId: 'i1' });
    await store.commit([
      ...ENTITY_ROWS,
      { op: 'insert', table: 'intents', row: intentOf('i1') },
      { op: 'insert', table: 'vault', row },
    ]);
    return row.id;
  });
}

const open = (id: string) => onHome((keys, store) => vaultOf(keys, store).open(id, 'e1'));

test('a home that was never started has no keys, and looking makes none', async () => {
  expect(await status()).toEqual({ dataKeys: [] });
  expect(await status()).toEqual({ dataKeys: [] });
});

test('a data key is replaced and its rows are sealed anew, with records of both and without a key shown', async () => {
  const id = await seal();
  const [old] = (await status()).dataKeys;
  expect(old).toMatchObject({
    active: true,
    keyEncryptionKey: 1,
    vaultRows: 1,
    parkedMessages: 0,
    waitingPayments: 0,
  });
  const { dataKey } = (await vault('rotate')) as { dataKey: string };
  const after = await status();
  expect(after.keyEncryptionKey).toMatchObject({ number: 1, in: 'key store' });
  expect(after.dataKeys.find((key) => key.id === dataKey)).toMatchObject({ active: true, vaultRows: 0 });
  expect(after.dataKeys.find((key) => key.id === old?.id)).toMatchObject({ active: false, vaultRows: 1 });
  expect(await vault('reseal')).toEqual({ resealed: 1 });
  expect(printed.err).toBe('1 rows sealed anew\n');
  expect((await status()).dataKeys.find((key) => key.id === dataKey)).toMatchObject({ vaultRows: 1 });
  expect(await open(id)).toEqual(account);
  const records = await withHomeStore(config(), (store) => listAudit(store));
  expect(records).toMatchObject([
    { actor: userInfo().username, action: 'vault rotate', subject: 'data keys', outcome: 'done' },
    { action: 'vault reseal', subject: 'data keys', outcome: 'done' },
  ]);
});

test('a new key-encryption key wraps the data keys; the key store keeps no other', async () => {
  const id = await seal();
  const before = await status();
  expect(await vault('rotate', '--kek')).toEqual({ keyEncryptionKey: 2, dataKeys: 1 });
  const after = await status();
  expect(after.keyEncryptionKey).toMatchObject({ number: 2 });
  expect(after.keyEncryptionKey?.kcv).not.toBe(before.keyEncryptionKey?.kcv);
  expect(after.dataKeys).toMatchObject([{ ...before.dataKeys[0], keyEncryptionKey: 2 }]);
  expect(await open(id)).toEqual(account);
  const [record] = await withHomeStore(config(), (store) => listAudit(store));
  expect(record).toMatchObject({ action: 'vault rotate --kek', subject: 'key-encryption key' });
});

test('the keys of the vault are not made by "keys generate"', async () => {
  const args = [
    'keys',
    'generate',
    '--id',
    'x',
    '--usage',
    'vault-kek',
    '--scope',
    '9',
    '--algorithm',
    'aes256',
  ];
  const quiet = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  await expect(gatewayProgram().parseAsync(args, { from: 'user' })).rejects.toThrow(/vault-kek/);
  quiet.mockRestore();
});

describe.skipIf(TOKEN_SKIP_REASON !== undefined)(TOKEN_SKIP_REASON ?? 'with a PKCS#11 token', () => {
  test('no file next to the database opens the vault, also of a home that had its keys in files', async () => {
    const id = await seal();
    const tokens = mkdtempSync(join(tmpdir(), 'tillbridge-token-'));
    openSoftHsm(tokens).close();
    const pinFile = join(tokens, 'token.pin');
    writeFileSync(pinFile, TOKEN.pin, { mode: 0o600 });
    vi.stubEnv('GATEWAY_PKCS11_LIBRARY', SOFTHSM_LIBRARY ?? '');
    vi.stubEnv('GATEWAY_PKCS11_TOKEN', TOKEN.tokenLabel);
    vi.stubEnv('GATEWAY_PKCS11_PIN_FILE', pinFile);
    const key = await onHome(async (keys) => keys.ring.key(keys.active.id)?.export());
    expect((await status()).keyEncryptionKey).toMatchObject({ number: 2, in: 'token' });
    expect(await open(id)).toEqual(account);
    // The files alone, as a thief has them: nothing in them is, or opens, a key of the vault.
    vi.stubEnv('GATEWAY_PKCS11_LIBRARY', undefined);
    vi.stubEnv('GATEWAY_PKCS11_TOKEN', undefined);
    vi.stubEnv('GATEWAY_PKCS11_PIN_FILE', undefined);
    await expect(open(id)).rejects.toThrow(/key-encryption key 2 .* is not there/);
    const { ofFiles } = openSecurityModule({ files: securityFiles(home), mode: 'test', random });
    expect(ofFiles.list()).toEqual([]);
    const secret = Buffer.from(key ?? []);
    expect(secret).toHaveLength(32);
    const names = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(names.map(({ name }) => name)).toContain('gateway.db');
    for (const { parentPath, name } of names) {
      const content = readFileSync(join(parentPath, name));
      expect(content.includes(secret), name).toBe(false);
      expect(content.toString('latin1').toUpperCase().includes(toHex(secret)), name).toBe(false);
      expect(content.includes(secret.toString('base64')), name).toBe(false);
      expect(content.includes(PAN), name).toBe(false);
    }
    rmSync(tokens, { recursive: true, force: true });
  });
});
