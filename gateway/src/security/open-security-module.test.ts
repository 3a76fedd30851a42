import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SecretFileError } from '../kernel/data-folder/secret-file.js';
import { openSecurityModule } from './open-security-module.js';
import { Pkcs11Keys } from './pkcs11/pkcs11-keys.js';
import { Pkcs11Token } from './pkcs11/pkcs11-token.js';
import { TokenKeyStore } from './pkcs11/token-key-store.js';
import { openSoftHsm, SOFTHSM_LIBRARY, TOKEN, TOKEN_SKIP_REASON } from './security-backends.test.support.js';
import { securityFiles } from './security-files.js';
import { openKeyStore, temporaryHome } from './test-keys.test.support.js';
import { dataKeyId } from './vault/data-key-ring.js';
import { KeyEncryptionKeys } from './vault/key-encryption-keys.js';

const KSN = Buffer.from('123456789012345600000001', 'hex');

/** A list of keys is never old: it is read again where it has to be. */
const STOPPED_CLOCK = { nowMs: () => 0, monotonicMs: () => 0 };

describe.skipIf(TOKEN_SKIP_REASON !== undefined)(TOKEN_SKIP_REASON ?? 'the configured token', () => {
  let home: string;
  beforeEach(() => {
    home = temporaryHome();
    const token = openSoftHsm(home);
    new Pkcs11Keys(token, 'test').add({
      id: '',
      label: '',
      usage: 'bdk-data',
      algorithm: 'aes128',
      scope: '12',
      key: randomBytes(16),
    });
    token.close();
    openKeyStore(home).add({
      id: 'z',
      usage: 'zone-pin',
      algorithm: 'aes128',
      scope: 'INTERNAL',
      label: '',
      key: randomBytes(16),
    });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const open = (pinFile: string) =>
    openSecurityModule({
      files: securityFiles(home),
      mode: 'test',
      random: systemRandom,
      token: { library: SOFTHSM_LIBRARY ?? '', label: TOKEN.tokenLabel, pinFile },
    });
  const pinFile = (text: string): string => {
    const path = join(home, 'token.pin');
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };

  test('a vault key that another node has made a moment ago is found where a data key needs it', () => {
    const token = Pkcs11Token.open({ library: SOFTHSM_LIBRARY ?? '', ...TOKEN });
    const keysOf = () =>
      new KeyEncryptionKeys(
        new TokenKeyStore(openKeyStore(home), new Pkcs11Keys(token, 'test', STOPPED_CLOCK)),
        systemRandom,
      );
    const [first, second] = [keysOf(), keysOf()];
    expect(second.list()).toEqual([]);
    const key = createSecretKey(randomBytes(32));
    const row = { id: dataKeyId(key), ...first.wrap(first.first(), key) };
    expect(second.unwrap(row).export()).toEqual(key.export());
    token.close();
  });

  test('a vault key that is added counts on from one that another node has made a moment ago', () => {
    const token = Pkcs11Token.open({ library: SOFTHSM_LIBRARY ?? '', ...TOKEN });
    const keys = () => new TokenKeyStore(openKeyStore(home), new Pkcs11Keys(token, 'test', STOPPED_CLOCK));
    const [first, second] = [keys(), keys()].map((each) => new KeyEncryptionKeys(each, systemRandom));
    expect([first?.add().number, second?.add().number]).toEqual([1, 2]);
    token.close();
  });

  test('of two vault keys that two nodes made at the same moment each opens what it has wrapped', () => {
    const token = Pkcs11Token.open({ library: SOFTHSM_LIBRARY ?? '', ...TOKEN });
    const keysOf = () =>
      new KeyEncryptionKeys(
        new TokenKeyStore(openKeyStore(home), new Pkcs11Keys(token, 'test', STOPPED_CLOCK)),
        systemRandom,
      );
    // Each looked before the other one had made its own.
    const made = [randomBytes(32), randomBytes(32)];
    const create = (bytes: Buffer) => token.create('tillbridge/vault-kek/1/key', 'aes', bytes, 'cipher');
    create(made[0] ?? Buffer.alloc(0));
    const early = keysOf();
    create(made[1] ?? Buffer.alloc(0));
    const rows = made.map((kek) => {
      const key = randomBytes(32);
      const cipher = createCipheriv('id-aes256-wrap', kek, Buffer.from('A6A6A6A6A6A6A6A6', 'hex'));
      const wrapped = Buffer.concat([cipher.update(key), cipher.final()]).toString('hex');
      return { key, row: { id: dataKeyId(createSecretKey(key)), kek: '1', wrapped } };
    });
    for (const { key, row } of rows) {
      expect(keysOf().unwrap(row).export()).toEqual(key);
      expect(early.unwrap(row).export()).toEqual(key);
    }
    const damaged = { ...(rows[0]?.row ?? { id: '', kek: '1' }), wrapped: '00'.repeat(40) };
    expect(() => keysOf().unwrap(damaged)).toThrow('does not open under key-encryption key 1');
    token.close();
  });

  test('gives the base keys, the key store the others; closing lets it be opened again', async () => {
    const path = pinFile(`${TOKEN.pin}\n`);
    for (const _round of [1, 2]) {
      const { module, close } = open(path);
      const request = { profile: 'default', ksn: KSN, data: Buffer.alloc(32) };
      // The key is found; what comes out of zeros is no account data.
      await expect(module.decryptAccountData(request)).rejects.toMatchObject({ code: 'bad-data' });
      close();
    }
  });

  test('is refused with a PIN file that is missing, empty or open to others', () => {
    expect(() => open(join(home, 'nowhere'))).toThrow(SecretFileError);
    expect(() => open(pinFile('\n'))).toThrow(SecretFileError);
    const path = pinFile(TOKEN.pin);
    chmodSync(path, 0o644);
    expect(() => open(path)).toThrow(SecretFileError);
    chmodSync(path, 0o600);
    expect(() => open(pinFile('998877'))).toThrow(/CKR_PIN_INCORRECT/);
  });
});
