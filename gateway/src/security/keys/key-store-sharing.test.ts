import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SoftwareSecurityModule } from '../module/software-security-module.js';
import { securityFiles } from '../security-files.js';
import { temporaryHome } from '../test-keys.test.support.js';
import { KeyStoreError, type NewKey } from './key-store.js';
import { SoftwareKeyStore, type SoftwareKeyStoreOptions } from './software-key-store.js';

let home: string;
beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function options(more: Partial<SoftwareKeyStoreOptions> = {}): SoftwareKeyStoreOptions {
  const files = securityFiles(home);
  return {
    keysPath: files.keys,
    masterKeyPath: files.masterKey,
    mode: 'test',
    random: systemRandom,
    ...more,
  };
}

function zoneKey(id: string, scope: string = id): NewKey {
  return { id, usage: 'zone-pin', algorithm: 'aes128', scope, label: '', key: randomBytes(16) };
}

const ids = (store: SoftwareKeyStore): string[] => store.list().map(({ id }) => id);

describe('two processes on one store', () => {
  test('see each other’s keys at the next look, and lose none', () => {
    const gateway = SoftwareKeyStore.create(options());
    const operator = SoftwareKeyStore.open(options());
    operator.add(zoneKey('a'));
    expect(gateway.find('zone-pin', 'a')?.id).toBe('a');
    gateway.add(zoneKey('b'));
    operator.add(zoneKey('c'));
    expect(ids(gateway)).toEqual(['a', 'b', 'c']);
    expect(ids(operator)).toEqual(['a', 'b', 'c']);
    const info = operator.rotate('a', { id: 'a-2', key: randomBytes(16), keepOldMs: 0 });
    expect(gateway.find('zone-pin', 'a')).toEqual(info);
  });

  test('one of which seals it anew go on', () => {
    const gateway = SoftwareKeyStore.create(options());
    const input = zoneKey('a');
    gateway.add(input);
    SoftwareKeyStore.open(options()).rotateMasterKey();
    const info = gateway.add(zoneKey('b'));
    expect(gateway.use(info, (key) => key.length)).toBe(16);
    const [first] = gateway.list();
    const isSame = first && gateway.use(first, (key) => Buffer.from(key).equals(input.key));
    expect(isSame).toBe(true);
  });

  test('lose nothing when the file goes away, and write nothing until it is back', () => {
    const gateway = SoftwareKeyStore.create(options());
    const info = gateway.add(zoneKey('a'));
    const { keys } = securityFiles(home);
    renameSync(keys, `${keys}.away`);
    expect(gateway.use(info, (key) => key.length)).toBe(16);
    expect(() => gateway.add(zoneKey('b'))).toThrow(/badFile: .* is gone/);
    renameSync(`${keys}.away`, keys);
    gateway.add(zoneKey('b'));
    expect(ids(SoftwareKeyStore.open(options()))).toEqual(['a', 'b']);
  });

  test('cannot be used while others may read the file, and can again afterwards', async () => {
    const gateway = SoftwareKeyStore.create(options());
    const key = { ...zoneKey('ACQ'), usage: 'mac' as const };
    gateway.add(key);
    const security = new SoftwareSecurityModule(gateway);
    const message = { partner: 'ACQ', method: 'cmac', data: Buffer.from('x') } as const;
    const mac = await security.generateMac(message);
    const { keys } = securityFiles(home);
    writeFileSync(`${keys}.copy`, readFileSync(keys), { mode: 0o644 });
    renameSync(`${keys}.copy`, keys);
    await expect(security.generateMac(message)).rejects.toMatchObject({ code: 'unavailable' });
    chmodSync(keys, 0o600);
    expect(Buffer.from(await security.generateMac(message))).toEqual(Buffer.from(mac));
  });

  test('write at the same time in many processes: every key is there', async () => {
    SoftwareKeyStore.create(options());
    const files = securityFiles(home);
    const script = `
      import { randomBytes } from 'node:crypto';
      import { SoftwareKeyStore } from ${JSON.stringify(built('software-key-store.js'))};
      const store = SoftwareKeyStore.open({
        keysPath: ${JSON.stringify(files.keys)}, masterKeyPath: ${JSON.stringify(files.masterKey)},
        mode: 'test', random: { bytes: (length) => randomBytes(length) },
      });
      for (let i = 0; i < 8; i += 1) {
        const id = process.argv[2] + '-' + i;
        store.add({ id, usage: 'zone-pin', algorithm: 'aes128', scope: id, label: '', key: randomBytes(16) });
      }`;
    const path = join(home, 'writer.mjs');
    writeFileSync(path, script);
    const writers = ['p', 'q', 'r'].map((name) => finished(spawn(process.execPath, [path, name])));
    expect(await Promise.all(writers)).toEqual([0, 0, 0]);
    const expected = ['p', 'q', 'r'].flatMap((name) => Array.from({ length: 8 }, (_, i) => `${name}-${i}`));
    expect(ids(SoftwareKeyStore.open(options())).sort()).toEqual(expected.sort());
    expect(readdirSync(dirname(files.keys)).sort()).toEqual(['keystore.json', 'master.key']);
  });
});

/** The built file of this folder; `npm test` builds first. */
function built(name: string): string {
  return new URL(`../../../dist/security/keys/${name}`, import.meta.url).href;
}

function finished(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

describe('a rotation of the master key that was killed', () => {
  const files = () => securityFiles(home);
  const keep = (path: string): Buffer => readFileSync(path);
  /** The files of a finished rotation, from which every state in between is put together. */
  function rotated() {
    const store = SoftwareKeyStore.create(options());
    store.add(zoneKey('a'));
    const before = { keys: keep(files().keys), master: keep(files().masterKey) };
    store.rotateMasterKey();
    const after = { keys: keep(files().keys), master: keep(files().masterKey) };
    expect(after.master.equals(before.master)).toBe(false);
    return { before, after };
  }
  const put = (path: string, content: Uint8Array): void => writeFileSync(path, content, { mode: 0o600 });

  test('before the store was written opens with the old key', () => {
    const { before, after } = rotated();
    put(files().keys, before.keys);
    put(files().masterKey, before.master);
    put(`${files().masterKey}.next`, after.master);
    const store = SoftwareKeyStore.open(options());
    expect(ids(store)).toEqual(['a']);
    store.rotateMasterKey();
    expect(ids(SoftwareKeyStore.open(options()))).toEqual(['a']);
    expect(readdirSync(dirname(files().keys)).sort()).toEqual(['keystore.json', 'master.key']);
  });

  test('after the store was written opens with the next key, and the next writer ends it', () => {
    const { before, after } = rotated();
    put(files().masterKey, before.master);
    put(`${files().masterKey}.next`, after.master);
    const store = SoftwareKeyStore.open(options());
    const [info] = store.list();
    expect(info && store.use(info, (key) => key.length)).toBe(16);
    expect(existsSync(`${files().masterKey}.next`)).toBe(true);
    store.add(zoneKey('b'));
    expect(existsSync(`${files().masterKey}.next`)).toBe(false);
    expect(ids(SoftwareKeyStore.open(options()))).toEqual(['a', 'b']);
  });

  test('with both keys lost is refused with that reason', () => {
    const { before } = rotated();
    put(files().masterKey, before.master);
    expect(() => SoftwareKeyStore.open(options())).toThrow(KeyStoreError);
    expect(() => SoftwareKeyStore.open(options())).toThrow(/wrongMasterKey/);
  });

  test('at whatever moment leaves a store that opens, run after run', async () => {
    const store = SoftwareKeyStore.create(options());
    for (const name of ['a', 'b', 'c']) store.add(zoneKey(name));
    const path = join(home, 'rotator.mjs');
    writeFileSync(
      path,
      `import { randomBytes } from 'node:crypto';
      import { SoftwareKeyStore } from ${JSON.stringify(built('software-key-store.js'))};
      const store = SoftwareKeyStore.open({
        keysPath: ${JSON.stringify(files().keys)}, masterKeyPath: ${JSON.stringify(files().masterKey)},
        mode: 'test', random: { bytes: (length) => randomBytes(length) },
      });
      for (;;) {
        store.rotateMasterKey();
        process.stdout.write('.');
      }`,
    );
    for (let round = 0; round < 6; round += 1) {
      const child = spawn(process.execPath, [path]);
      const ended = finished(child);
      // It goes on at once: where in the next rotation the kill finds it is another place each time.
      await new Promise((resolve, reject) => {
        child.stdout.once('data', resolve);
        child.once('exit', () => reject(new Error('the rotating process ended by itself')));
      });
      child.kill('SIGKILL');
      await ended;
      expect(ids(SoftwareKeyStore.open(options()))).toEqual(['a', 'b', 'c']);
    }
  });
});

test('a rotated key is kept for its time, then purged by the next writer', () => {
  let nowMs = 1_000_000;
  const clock: Pick<Clock, 'nowMs'> = { nowMs: () => nowMs };
  const store = SoftwareKeyStore.create(options({ clock }));
  store.add({
    ...zoneKey('m', 'ACQ'),
    usage: 'mac',
    algorithm: 'tdes2',
    key: withOddParity(randomBytes(16)),
  });
  const next = store.rotate('m', { id: 'n', key: withOddParity(randomBytes(16)), keepOldMs: 1_000 });
  expect(store.find('mac', 'ACQ')).toEqual(next);
  expect(store.predecessors(next)).toMatchObject([{ id: 'm', retiredUntilMs: nowMs + 1_000 }]);
  expect(() => store.rotate('m', { id: 'o', key: randomBytes(16), keepOldMs: 0 })).toThrow(/retired/);
  nowMs += 1_000;
  expect(store.predecessors(next)).toEqual([]);
  expect(ids(store)).toEqual(['n', 'm']);
  store.add(zoneKey('z'));
  expect(ids(store)).toEqual(['n', 'z']);
  // The end of the time is bound to the key: it cannot be made later in the file.
  store.rotate('n', { id: 'o', key: withOddParity(randomBytes(16)), keepOldMs: 1_000 });
  const { keys } = securityFiles(home);
  const text = readFileSync(keys, 'utf8');
  writeFileSync(
    `${keys}.changed`,
    text.replace(`"retiredUntilMs": ${nowMs + 1_000}`, '"retiredUntilMs": 9000000000000'),
    {
      mode: 0o600,
    },
  );
  renameSync(`${keys}.changed`, keys);
  expect(() => SoftwareKeyStore.open(options({ clock }))).toThrow(/wrongMasterKey/);
});
