import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SqliteStore } from '../../kernel/store/sqlite-store.js';
import type { Change } from '../../kernel/store/store.js';
import type { KeyStore, NewKey } from '../keys/key-store.js';
import { openDataKeys } from '../open-data-keys.js';
import { BACKENDS, type OpenBackend } from '../security-backends.test.support.js';
import { openKeyStore, temporaryHome } from '../test-keys.test.support.js';
import { KeyEncryptionKeys } from './key-encryption-keys.js';
import { Reseal } from './reseal.js';
import { MAX_DATA_KEYS, StoredDataKeys } from './stored-data-keys.js';
import { VaultError } from './vault.js';
import { AesGcmVault } from './vault-aes-gcm.js';
import { ENTITY_ROWS, intentOf } from './vault-rows.test.support.js';

const account = { pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12' };
const owner = { entityId: 'e1', intentId: 'i1' };
const random = systemRandom;

/** What a process that is killed throws where it ends. */
class Killed extends Error {}

describe.each(BACKENDS)('data keys under a key-encryption key of the $name', ({ skip, open, end }) => {
  describe.skipIf(skip !== undefined)(skip ?? 'on SQLite', () => {
    let home: string;
    let backend: OpenBackend;
    let store: SqliteStore;
    let clock: VirtualClock;
    let ofFiles: ReturnType<typeof openKeyStore>;
    beforeEach(async () => {
      home = temporaryHome();
      ofFiles = openKeyStore(home);
      backend = open(ofFiles);
      store = await SqliteStore.open(join(home, 'gateway.db'));
      clock = new VirtualClock(1_000);
      await store.commit([...ENTITY_ROWS, { op: 'insert', table: 'intents', row: intentOf('i1') }]);
    });
    afterEach(async () => {
      await store.close();
      backend.close();
      rmSync(home, { recursive: true, force: true });
    });
    afterAll(end);

    const keks = () => new KeyEncryptionKeys(backend.keys, random);
    const openKeys = (over: Partial<Pick<SqliteStore, 'commit'>> = {}) => {
      const { commit = (changes: readonly Change[]) => store.commit(changes) } = over;
      const reading = { get: store.get.bind(store), findAfter: store.findAfter.bind(store), commit };
      return StoredDataKeys.open({ store: reading, keks: keks(), random, clock });
    };
    const vaultOf = ({ ring }: StoredDataKeys) => new AesGcmVault({ dataKeys: ring, store, random, clock });
    const put = async (keys: StoredDataKeys): Promise<string> => {
      const row = vaultOf(keys).seal(account, owner);
      await store.commit([{ op: 'insert', table: 'vault', row }]);
      return row.id;
    };
    const resealAll = async (keys: StoredDataKeys): Promise<number> => {
      let resealed = 0;
      for (const { id } of keys.retired) {
        const reseal = new Reseal({ store, dataKeys: keys.ring }, id);
        for (let step = await reseal.step(); !step.done; step = await reseal.step())
          resealed += step.resealed;
      }
      return resealed;
    };

    test('of two gateways that begin on one key store at once one makes the key-encryption key', () => {
      const [before, made] = [backend.keys.list(), keks().first()];
      let looks = 0;
      const list = () => {
        looks += 1;
        return looks === 1 ? before : backend.keys.list();
      };
      const late = { list, add: (key: NewKey) => backend.keys.add(key) } as KeyStore;
      expect(new KeyEncryptionKeys(late, random).first()).toEqual(made);
      expect(keks().list()).toEqual([made]);
    });

    test('the first start makes one of each, and a later one opens them', async () => {
      const keys = await openKeys();
      const id = await put(keys);
      const again = await openKeys();
      expect(again.rows).toEqual(keys.rows);
      expect(
        keks()
          .list()
          .map(({ number }) => number),
      ).toEqual([1]);
      expect(await vaultOf(again).open(id, 'e1')).toEqual(account);
      expect(await store.find('vault', 'keyId', [keys.active.id])).toHaveLength(1);
    });

    test('nothing of the home opens the vault but through the key store', async () => {
      const keys = await openKeys();
      await put(keys);
      const key = keys.ring.key(keys.active.id)?.export() ?? Buffer.alloc(0);
      expect(isInClear(key, home)).toBe(false);
      for (const content of filesOf(home)) expect(content.includes(Buffer.from(account.pan))).toBe(false);
    });

    test('the fingerprint key is nowhere in clear, and stays when everything else is rotated', async () => {
      const keys = await openKeys();
      const key = keys.fingerprintKey.export();
      expect(isInClear(key, home)).toBe(false);
      await put(keys);
      await keys.rotate();
      await keys.rotateKek();
      await resealAll(keys);
      for (const row of keys.retired) await keys.forget(row);
      expect((await openKeys()).fingerprintKey.export()).toEqual(key);
      const rows = await store.findAfter('dataKeys', undefined);
      expect(rows.map(({ use, kek }) => `${use} ${kek}`).sort()).toEqual(['fingerprints 2', 'rows 2']);
    });

    test('a database whose fingerprint key was lost is not given another one', async () => {
      const keys = await openKeys();
      const rows = await store.findAfter('dataKeys', undefined);
      const print = rows.find(({ use }) => use === 'fingerprints');
      if (print) await keys.forget(print);
      await expect(openKeys()).rejects.toThrow(/no fingerprint key/);
    });

    test('a new data key seals what is new; old rows stay readable, are sealed anew, and free the old key', async () => {
      const keys = await openKeys();
      const [first, old] = [await put(keys), keys.active];
      await keys.rotate();
      const second = await put(keys);
      expect(await store.get('vault', [first])).toMatchObject({ keyId: old.id });
      expect(await store.get('vault', [second])).toMatchObject({ keyId: keys.active.id });
      // The database itself refuses to lose a key that a row needs.
      await expect(keys.forget(keys.retired[0] ?? old)).rejects.toThrow();
      expect(await vaultOf(keys).open(first, 'e1')).toEqual(account);
      expect(await resealAll(keys)).toBe(1);
      for (const id of [first, second]) {
        expect(await store.get('vault', [id])).toMatchObject({ keyId: keys.active.id });
        expect(await vaultOf(keys).open(id, 'e1')).toEqual(account);
      }
      await keys.forget(keys.retired[0] ?? old);
      expect(keys.rows.map(({ id }) => id)).toEqual([keys.active.id]);
      expect(await vaultOf(await openKeys()).open(first, 'e1')).toEqual(account);
    });

    test('of a data key and card data that were deleted nothing is left in the file', async () => {
      const keys = await openKeys();
      const [id, old] = [await put(keys), keys.active];
      const row = await store.get('vault', [id]);
      await keys.rotate();
      await store.commit([{ op: 'delete', table: 'vault', key: [id], version: 1 }]);
      const [retired] = keys.retired;
      if (!row || !retired) throw new Error('no row');
      await keys.forget(retired);
      await store.close();
      const file = readFileSync(join(home, 'gateway.db'), 'latin1');
      expect(file).toContain(keys.active.wrapped);
      expect(file).not.toContain(old.wrapped);
      expect(file).not.toContain(row.sealed);
      store = await SqliteStore.open(join(home, 'gateway.db'));
    });

    test('another process takes a new data key over when a row names it', async () => {
      const [gateway, command] = [await openKeys(), await openKeys()];
      await command.rotate();
      const id = await put(command);
      expect(await vaultOf(gateway).open(id, 'e1')).toEqual(account);
      expect(gateway.active.id).toBe(command.active.id);
    });

    test('a new key-encryption key wraps the data keys anew, touches no row, and the old one is gone', async () => {
      const keys = await openKeys();
      const id = await put(keys);
      await keys.rotate();
      const before = await store.get('vault', [id]);
      expect(await keys.rotateKek()).toBe(2);
      expect(keys.rows.map(({ kek }) => kek)).toEqual(['2', '2']);
      expect(
        keks()
          .list()
          .map(({ number }) => number),
      ).toEqual([2]);
      expect(await store.get('vault', [id])).toEqual(before);
      expect(await vaultOf(await openKeys()).open(id, 'e1')).toEqual(account);
    });

    test.each([0, 1, 2, 3, 4])(
      'killed before commit %i of a rotation of both keys, everything opens, and the rotation can go on',
      async (left) => {
        const id = await put(await openKeys());
        let commits = left;
        const keys = await openKeys({
          commit: (changes) => {
            if (commits === 0) throw new Killed();
            commits -= 1;
            return store.commit(changes);
          },
        });
        const rotation = async (): Promise<void> => {
          await keys.rotateKek();
          await keys.rotate();
          for (const { id: old } of keys.retired) {
            const parts = {
              store: { find: store.find.bind(store), commit: countedCommit },
              dataKeys: keys.ring,
            };
            await new Reseal(parts, old).step();
          }
        };
        const countedCommit = (changes: readonly Change[]): Promise<void> => {
          if (commits === 0) throw new Killed();
          commits -= 1;
          return store.commit(changes);
        };
        const ended = await rotation().then(
          () => 'whole',
          (error: unknown) => (error instanceof Killed ? 'killed' : error),
        );
        expect(ended).toBe(left < 3 ? 'killed' : 'whole');
        const next = await openKeys();
        expect(await vaultOf(next).open(id, 'e1')).toEqual(account);
        await next.settleKeks();
        expect(next.rows.every(({ kek }) => kek === '2')).toBe(true);
        expect(
          keks()
            .list()
            .map(({ number }) => number),
        ).toEqual([2]);
        expect(next.rows.filter(({ active }) => active === 1)).toHaveLength(1);
        await resealAll(next);
        expect(await vaultOf(next).open(id, 'e1')).toEqual(account);
      },
    );

    test('killed between the new key-encryption key and its first use, the next start goes on', async () => {
      const id = await put(await openKeys());
      keks().add();
      const next = await openKeys();
      expect(await vaultOf(next).open(id, 'e1')).toEqual(account);
      await next.settleKeks();
      expect(
        keks()
          .list()
          .map(({ number }) => number),
      ).toEqual([2]);
      expect(await vaultOf(await openKeys()).open(id, 'e1')).toEqual(account);
    });

    test('two processes that rotate at once leave one active key, and every key under the newest key-encryption key', async () => {
      const [one, two] = [await openKeys(), await openKeys()];
      const id = await put(one);
      await Promise.all([one.rotate(), two.rotate(), one.rotateKek()]);
      const next = await openKeys();
      expect(next.rows.filter(({ active }) => active === 1)).toHaveLength(1);
      expect(next.rows).toHaveLength(3);
      expect(await vaultOf(next).open(id, 'e1')).toEqual(account);
      await next.settleKeks();
      expect(new Set(next.rows.map(({ kek }) => kek))).toEqual(new Set(['2']));
    });

    test('a row that does not open is passed over and named, and keeps its key', async () => {
      const keys = await openKeys();
      const [damaged, whole] = [await put(keys), await put(keys)].sort();
      const row = await store.get('vault', [damaged ?? '']);
      if (!row) throw new Error('no row');
      const sealed = row.sealed.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
      await store.commit([{ op: 'update', table: 'vault', row: { ...row, sealed } }]);
      await keys.rotate();
      await expect(resealAll(keys)).rejects.toThrow(/1 rows under data key .* do not open/);
      expect(await store.get('vault', [whole ?? ''])).toMatchObject({ keyId: keys.active.id });
      expect(await store.get('vault', [damaged ?? ''])).toMatchObject({ keyId: row.keyId });
    });

    test('a key-encryption key that is lost is named at the start', async () => {
      await openKeys();
      const [kek] = keks().list();
      if (kek) keks().remove(kek);
      await expect(openKeys()).rejects.toThrow(VaultError);
      await expect(openKeys()).rejects.toThrow(/key-encryption key 1 .* is not there/);
    });

    test('a data key of another row does not pass for one', async () => {
      const keys = await openKeys();
      await keys.rotate();
      const [a, b] = keys.rows;
      if (!a || !b) throw new Error('no rows');
      await store.commit([{ op: 'update', table: 'dataKeys', row: { ...a, wrapped: b.wrapped } }]);
      await expect(openKeys()).rejects.toThrow(/was changed/);
    });

    test(`more than ${MAX_DATA_KEYS} data keys are refused`, async () => {
      const keys = await openKeys();
      for (let count = 1; count < MAX_DATA_KEYS; count += 1) await keys.rotate();
      await expect(keys.rotate()).rejects.toThrow(/wait until those are sealed anew/);
    });

    test('the key store deletes a key for good', () => {
      const kek = keks().add();
      keks().remove(kek);
      expect(() => keks().remove(kek)).toThrow(/noKey/);
      expect(backend.keys.list()).toEqual([]);
    });

    test('a key-encryption key in a file gives way to one where keys are kept now', async () => {
      const before = await StoredDataKeys.open({
        store,
        keks: new KeyEncryptionKeys(ofFiles, random),
        random,
        clock,
      });
      const id = await put(before);
      const keys = await openDataKeys({ keys: backend.keys, ofFiles }, { store, random, clock });
      expect(await vaultOf(keys).open(id, 'e1')).toEqual(account);
      const isToken = backend.keys !== ofFiles;
      expect(ofFiles.list().map(({ usage }) => usage)).toEqual(isToken ? [] : ['vault-kek']);
      expect(keys.active.kek).toBe(isToken ? '2' : '1');
    });
  });
});

/** Whether a file below the folder holds the key as it is, or as hex. */
function isInClear(key: Buffer, folder: string): boolean {
  expect(key).toHaveLength(32);
  return filesOf(folder).some(
    (content) => content.includes(key) || content.toString('latin1').toUpperCase().includes(toHex(key)),
  );
}

/** All files below a folder. */
function filesOf(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
}
