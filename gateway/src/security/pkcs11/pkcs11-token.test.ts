import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { toHex } from '@tillbridge/wire/bytes.js';
import { aesCmac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  aesWorkingKey,
  derivationData,
  deriveAesInitialKey,
  deriveAesTransactionKey,
  INITIAL_KEY_ID_BYTES,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyStoreError, type NewKey } from '../keys/key-store.js';
import { SecurityModuleError } from '../module/security-module.js';
import { openSoftHsm, SOFTHSM_LIBRARY, TOKEN, TOKEN_SKIP_REASON } from '../security-backends.test.support.js';
import { temporaryHome } from '../test-keys.test.support.js';
import { Pkcs11BaseKeys } from './pkcs11-base-keys.js';
import { Pkcs11Keys, TOKEN_REFRESH_MS } from './pkcs11-keys.js';
import { Pkcs11Token } from './pkcs11-token.js';

/** Ends every session of this process at the token, as a reset of a real one does. */
function closeAllSessions(): void {
  const { PKCS11 } = createRequire(import.meta.url)('pkcs11js') as typeof import('pkcs11js');
  const module = new PKCS11();
  module.load(SOFTHSM_LIBRARY ?? '');
  for (const slot of module.C_GetSlotList(true)) module.C_CloseAllSessions(slot);
  module.close();
}

const AES_KSN = Buffer.from('123456789012345600000003', 'hex');

function importBaseKey(
  token: Pkcs11Token,
  mode: 'test' | 'live',
  input: Pick<NewKey, 'algorithm' | 'scope' | 'key'> & { readonly usage: 'bdk-data' | 'bdk-pin' },
): void {
  new Pkcs11Keys(token, mode).add({ id: '', label: '', ...input });
}

function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

test.skipIf(TOKEN_SKIP_REASON?.includes('pkcs11js'))(
  'a library that is not there is refused with that reason',
  () => {
    const error = thrown(() => Pkcs11Token.open({ library: '/nowhere/lib.so', ...TOKEN }));
    expect(error).toBeInstanceOf(SecurityModuleError);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('/nowhere/lib.so') });
  },
);

describe.skipIf(TOKEN_SKIP_REASON !== undefined)(TOKEN_SKIP_REASON ?? 'base keys in a token', () => {
  let home: string;
  let token: Pkcs11Token;

  beforeEach(() => {
    home = temporaryHome();
    token = openSoftHsm(home);
  });
  afterEach(() => {
    token.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('an AES-128 base key enciphers nothing for anyone, and no derived key stays behind', () => {
    importBaseKey(token, 'test', {
      usage: 'bdk-data',
      algorithm: 'aes128',
      scope: '12',
      key: randomBytes(16),
    });
    const keys = new Pkcs11BaseKeys(new Pkcs11Keys(token, 'test'));
    const base = keys.require('bdk-data', AES_KSN);
    const [listed] = token.list();
    const handle = listed?.key ?? Buffer.alloc(0);
    expect(thrown(() => token.encrypt(handle, 'aes', Buffer.alloc(16)))).toBeInstanceOf(SecurityModuleError);
    expect(thrown(() => keys.aesInitialKey(base, AES_KSN))).toBeDefined();
    const clear = keys.withInnerAes128(base, AES_KSN, 'pin', (cipher) =>
      cipher.decryptBlock(Buffer.alloc(16)),
    );
    expect(clear).toHaveLength(16);
    expect(token.list()).toHaveLength(1);
  });

  test('a working key for MACs makes what its bytes would, and deciphers nothing', () => {
    const bdk = randomBytes(16);
    importBaseKey(token, 'test', { usage: 'bdk-data', algorithm: 'aes128', scope: '', key: bdk });
    const keys = new Pkcs11BaseKeys(new Pkcs11Keys(token, 'test'));
    const base = keys.require('bdk-data', AES_KSN);
    const initial = deriveAesInitialKey(bdk, AES_KSN.subarray(0, INITIAL_KEY_ID_BYTES));
    const transaction = deriveAesTransactionKey(initial, AES_KSN);
    for (const usage of ['macGeneration', 'macBothWays'] as const) {
      const message = randomBytes(40);
      const mac = keys.withInnerAes128(base, AES_KSN, usage, (cipher) => cipher.cmac(message));
      const key = aesWorkingKey(transaction, AES_KSN, usage, 'aes128');
      expect(toHex(mac)).toBe(toHex(aesCmac(key, message)));
    }
    const misused = () =>
      keys.withInnerAes128(base, AES_KSN, 'macGeneration', (cipher) => cipher.decryptBlock(Buffer.alloc(16)));
    expect(thrown(misused)).toBeInstanceOf(SecurityModuleError);
    expect(token.list()).toHaveLength(1);
  });

  test('derived keys are gone also when the operation fails', () => {
    importBaseKey(token, 'test', { usage: 'bdk-data', algorithm: 'aes128', scope: '', key: randomBytes(16) });
    const keys = new Pkcs11BaseKeys(new Pkcs11Keys(token, 'test'));
    const base = keys.require('bdk-data', AES_KSN);
    let seen: Buffer | undefined;
    const fail = () =>
      keys.withInnerAes128(base, AES_KSN, 'pin', (cipher) => {
        seen = cipher.decryptBlock(Buffer.alloc(16));
        throw new Error('broken off');
      });
    expect(fail).toThrow('broken off');
    const again = keys.withInnerAes128(base, AES_KSN, 'pin', (cipher) =>
      cipher.decryptBlock(Buffer.alloc(16)),
    );
    expect(toHex(again)).toBe(toHex(seen ?? Buffer.alloc(0)));
  });

  test('keys do not derive or encipher beyond their purpose', () => {
    const key = randomBytes(32);
    importBaseKey(token, 'test', { usage: 'bdk-pin', algorithm: 'aes256', scope: '', key });
    const handle = token.list()[0]?.key ?? Buffer.alloc(0);
    const block = derivationData('initialKey', 'aes128', AES_KSN.subarray(0, 8), 0);
    expect(thrown(() => token.deriveAes128(handle, block, 'derive'))).toMatchObject({ code: 'unavailable' });
    expect(thrown(() => token.decrypt(handle, 'aes', block))).toMatchObject({ code: 'unavailable' });
  });

  test('published test keys are refused in live mode, at import and when the token is opened', () => {
    const input = { usage: 'bdk-data', algorithm: 'tdes2', scope: 'FFFF' } as const;
    const key = developmentKey('bdkData');
    expect(thrown(() => importBaseKey(token, 'live', { ...input, key }))).toMatchObject({
      code: 'testKeyInLive',
    });
    expect(token.list()).toEqual([]);
    importBaseKey(token, 'test', { ...input, key });
    expect(thrown(() => new Pkcs11Keys(token, 'live'))).toMatchObject({ code: 'testKeyInLive' });
    const base = new Pkcs11BaseKeys(new Pkcs11Keys(token, 'test')).require(
      'bdk-data',
      Buffer.alloc(10, 0xff),
    );
    expect(base.id).toBe('tillbridge/bdk-data/FFFF/key');
  });

  test.each(['imk-ac', 'pvk', 'cvk', 'zone-pin', 'mac', 'kbpk'] as const)(
    'a published test key for %s is refused in live mode, brought in or found',
    (usage) => {
      const input = {
        id: '',
        label: '',
        usage,
        algorithm: 'tdes2',
        scope: 'X',
        key: developmentKey('imkAc'),
      } as const;
      expect(thrown(() => new Pkcs11Keys(token, 'live').add(input))).toMatchObject({ code: 'testKeyInLive' });
      expect(token.list()).toEqual([]);
      new Pkcs11Keys(token, 'test').add(input);
      expect(thrown(() => new Pkcs11Keys(token, 'live'))).toMatchObject({ code: 'testKeyInLive' });
    },
  );

  test('a key does what its use needs and nothing else', () => {
    const keys = new Pkcs11Keys(token, 'test');
    const key = withOddParity(randomBytes(16));
    keys.add({ id: '', label: '', usage: 'imk-ac', algorithm: 'tdes2', scope: '4', key });
    keys.add({ id: '', label: '', usage: 'kbpk', algorithm: 'aes256', scope: 'A', key: randomBytes(32) });
    const [imk, kbpk] = ['imk-ac', 'kbpk'].map((usage) =>
      keys.entries().find((entry) => entry.usage === usage),
    );
    if (!imk || !kbpk) throw new Error('both keys are there');
    expect(thrown(() => token.decrypt(imk.key, 'des2', Buffer.alloc(8)))).toMatchObject({
      code: 'unavailable',
    });
    expect(thrown(() => token.encrypt(kbpk.key, 'aes', Buffer.alloc(16)))).toMatchObject({
      code: 'unavailable',
    });
    expect(token.cmac(kbpk.key, 'aes', Buffer.alloc(8))).toHaveLength(16);
    expect(thrown(() => token.cmac(imk.key, 'des2', Buffer.alloc(8)))).toMatchObject({ code: 'unavailable' });
  });

  test('a login that is lost is made again, and keys are found again by themselves', () => {
    const keys = new Pkcs11Keys(token, 'test', { nowMs: () => 1, monotonicMs: () => 1 });
    keys.add({ id: '', label: '', usage: 'mac', algorithm: 'aes128', scope: 'P', key: randomBytes(16) });
    const mac = () => {
      const [entry] = keys.entries();
      return toHex(token.cmac(entry?.key ?? Buffer.alloc(0), 'aes', Buffer.from('message')));
    };
    const before = mac();
    closeAllSessions();
    // The first caller gets the error; the token is there again for the next one.
    expect(thrown(mac)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('CKR_SESSION'),
    });
    expect(mac()).toBe(before);
    closeAllSessions();
    expect(thrown(() => token.list())).toMatchObject({ code: 'unavailable' });
    expect(token.list()).toHaveLength(1);
  });

  test('a key that another process brings in is found without a restart', async () => {
    let monotonicMs = 0;
    const clock = { nowMs: () => 1, monotonicMs: () => monotonicMs };
    const keys = new Pkcs11Keys(token, 'test', clock);
    expect(keys.entries()).toEqual([]);
    const script = join(home, 'bring-in.mjs');
    const built = (name: string): string =>
      JSON.stringify(new URL(`../../../dist/security/pkcs11/${name}`, import.meta.url).href);
    writeFileSync(
      script,
      `import { Pkcs11Keys } from ${built('pkcs11-keys.js')};
      import { Pkcs11Token } from ${built('pkcs11-token.js')};
      const token = Pkcs11Token.open(${JSON.stringify({ library: SOFTHSM_LIBRARY, ...TOKEN })});
      const key = Buffer.alloc(16, 7);
      new Pkcs11Keys(token, 'test').add({ id: '', label: '', usage: 'mac', algorithm: 'aes128', scope: 'P', key });
      token.close();`,
    );
    execFileSync(process.execPath, [script]);
    expect(keys.entries()).toEqual([]);
    monotonicMs = TOKEN_REFRESH_MS;
    expect(keys.entries()).toMatchObject([{ id: 'tillbridge/mac/P/key', algorithm: 'aes128' }]);
  });

  test('rotated keys stay for their time, then leave the token with what is stored with them', () => {
    let nowMs = 1_000_000;
    const keys = new Pkcs11Keys(token, 'test', { nowMs: () => nowMs, monotonicMs: () => nowMs });
    const newKey = () => withOddParity(randomBytes(16));
    const first = keys.add({
      id: '',
      label: '',
      usage: 'mac',
      algorithm: 'tdes2',
      scope: 'P',
      key: newKey(),
    });
    const second = keys.rotate(first.id, { key: newKey(), keepOldMs: 1_000 });
    expect(keys.entries().map(({ retiredUntilMs }) => retiredUntilMs)).toEqual(
      expect.arrayContaining([undefined, nowMs + 1_000]),
    );
    expect(thrown(() => keys.rotate(first.id, { key: newKey(), keepOldMs: 0 }))).toMatchObject({
      code: 'retired',
    });
    nowMs += 1_000;
    expect(keys.entries().map(({ id }) => id)).toEqual([second.id]);
    // Still in the token; the next rotation removes it.
    expect(token.list()).toHaveLength(4);
    const third = keys.rotate(second.id, { key: newKey(), keepOldMs: 1_000 });
    expect(token.list()).toHaveLength(4);
    expect(
      keys
        .entries()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([second.id, third.id].sort());
    const base = keys.add({
      id: '',
      label: '',
      usage: 'bdk-pin',
      algorithm: 'tdes2',
      scope: 'FF',
      key: newKey(),
    });
    expect(thrown(() => keys.rotate(base.id, { key: newKey(), keepOldMs: 0 }))).toMatchObject({
      code: 'notRotatable',
    });
  });

  test('an import that broke off is done again', () => {
    const key = withOddParity(randomBytes(16));
    token.create('tillbridge/bdk-data/FF/masked', 'des2', withOddParity(randomBytes(16)), 'encrypt');
    importBaseKey(token, 'test', { usage: 'bdk-data', algorithm: 'tdes2', scope: 'FF', key });
    expect(token.list()).toHaveLength(2);
    const twice = thrown(() =>
      importBaseKey(token, 'test', { usage: 'bdk-data', algorithm: 'tdes2', scope: 'FF', key }),
    );
    expect(twice).toBeInstanceOf(KeyStoreError);
    expect(twice).toMatchObject({ code: 'keyExists' });
  });

  test('a wrong token or PIN is refused with that reason, and the PIN is not shown', () => {
    token.close();
    const library = SOFTHSM_LIBRARY ?? '';
    const label = thrown(() => Pkcs11Token.open({ library, tokenLabel: 'other', pin: TOKEN.pin }));
    expect(label).toMatchObject({ code: 'unavailable', message: 'no token has the label other' });
    const pin = thrown(() => Pkcs11Token.open({ library, tokenLabel: TOKEN.tokenLabel, pin: '998877' }));
    expect(pin).toMatchObject({ code: 'unavailable', message: expect.stringContaining('CKR_PIN_INCORRECT') });
    expect(String(pin)).not.toContain('998877');
    token = Pkcs11Token.open({ library, ...TOKEN });
  });
});
