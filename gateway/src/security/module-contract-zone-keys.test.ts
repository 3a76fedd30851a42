import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { aesKcv, tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { tdesEncryptEcb, withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { decipherPin, encipherPin } from '@tillbridge/wire/crypto/pin/pin-translation.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { SoftwareKeyStore } from './keys/software-key-store.js';
import {
  MAX_ZONE_KEY_OVERLAP_MS,
  type ReplaceZoneKeyRequest,
  type WrappedZoneKey,
  type ZoneKeyUsage,
} from './module/security-module.js';
import { SoftwareSecurityModule } from './module/software-security-module.js';
import { failure, onEveryModule } from './module-contract.test.support.js';
import { keyStoreOptions, securityFiles } from './security-files.js';
import { temporaryHome } from './test-keys.test.support.js';

const PAN = '4761739001010010';
const KSN = fromHex('FFFF9876543210E00005');
const kbpk = randomBytes(32);
const zmk = tdesKey();

function tdesKey(bytes = 16): Buffer {
  return withOddParity(randomBytes(bytes));
}

const HEADER_USES = { mac: { usage: 'M3', mode: 'C' }, 'zone-pin': { usage: 'P0', mode: 'B' } } as const;

function block(
  usage: ZoneKeyUsage,
  key: Uint8Array,
  algorithm = 'T',
  use: { readonly usage: string; readonly mode: string } = HEADER_USES[usage],
): WrappedZoneKey {
  const about = { algorithm, keyVersion: '00', exportability: 'N', optionalBlocks: [] };
  return {
    block: wrapKeyBlock(kbpk, { version: 'D', ...use, ...about }, key, { random: randomBytes }),
  };
}

function cryptogram(key: Uint8Array, under: Uint8Array = zmk): WrappedZoneKey {
  return { cryptogram: tdesEncryptEcb(under, key), kcv: toHex(tdesKcv(key)) };
}

const FORMS = [
  ['a key block', (usage: ZoneKeyUsage, key: Uint8Array) => block(usage, key)],
  ['a cryptogram', (_: ZoneKeyUsage, key: Uint8Array) => cryptogram(key)],
] as const;

onEveryModule((harness) => {
  const replace = (wrapped: WrappedZoneKey, values: Partial<ReplaceZoneKeyRequest> = {}) =>
    harness.module.replaceZoneKey({ partner: 'ACQ', usage: 'mac', wrapped, keepOldMs: 60_000, ...values });
  const message = { partner: 'ACQ', data: Buffer.from('0800') } as const;
  const macNow = () => harness.module.generateMac(message);
  const verifies = (mac: Uint8Array) => harness.module.verifyMac({ ...message, mac });

  beforeEach(() => {
    harness.addKey('kbpk', 'aes256', kbpk, 'ACQ');
    harness.addKey('zmk', 'tdes2', zmk, 'ACQ');
  });

  describe.each(FORMS)('a zone key in %s', (_, wrap) => {
    test('is taken in, replaced at once, and the old one still verifies', async () => {
      const [first, second, third] = [tdesKey(), tdesKey(), tdesKey()];
      const info = await replace(wrap('mac', first));
      expect(info).toMatchObject({ usage: 'mac', scope: 'ACQ', kcv: toHex(tdesKcv(first)) });
      const old = await macNow();
      expect((await replace(wrap('mac', second))).kcv).toBe(toHex(tdesKcv(second)));
      const fresh = await macNow();
      expect(toHex(fresh)).not.toBe(toHex(old));
      expect(await Promise.all([verifies(old), verifies(fresh)])).toEqual([true, true]);
      await replace(wrap('mac', third), { keepOldMs: 0 });
      expect(await verifies(fresh)).toBe(false);
    });

    test('that is in use changes nothing, and one that was replaced is refused', async () => {
      const [first, second] = [tdesKey(), tdesKey()];
      const info = await replace(wrap('mac', first));
      expect(await replace(wrap('mac', first))).toEqual(info);
      await replace(wrap('mac', second));
      const error = await failure(replace(wrap('mac', first)));
      expect(error).toMatchObject({ code: 'bad-data', message: expect.stringContaining('was sent again') });
      expect(await replace(wrap('mac', second))).toMatchObject({ kcv: toHex(tdesKcv(second)) });
    });

    test('for PINs takes what terminals send, before and after it is replaced', async () => {
      const bdk = tdesKey();
      harness.addKey('bdk-pin', 'tdes2', bdk, 'FFFF');
      const usage = 'zone-pin';
      for (const zone of [tdesKey(), tdesKey()]) {
        await replace(wrap(usage, zone), { usage });
        const key = workingKey(deriveTransactionKey(deriveInitialKey(bdk, KSN), KSN), 'pin');
        const pinBlock = encipherPin({ format: 0, cipher: 'tdes', key }, '12345', PAN, randomBytes);
        const pin = await harness.module.translatePin({ ksn: KSN, pinBlock, pan: PAN, zone: 'ACQ' });
        expect(pin).toMatchObject({ zoneKey: 'ACQ', zoneKcv: toHex(tdesKcv(zone)) });
        expect(decipherPin({ format: 0, cipher: 'tdes', key: zone }, pin.pinBlock, PAN).toString()).toBe(
          '12345',
        );
      }
    });
  });

  test('an AES key comes in a key block, and takes the place of one of TDES', async () => {
    await replace(cryptogram(tdesKey()));
    const old = await macNow();
    const aes = randomBytes(16);
    expect(await replace(block('mac', aes, 'A'))).toMatchObject({
      algorithm: 'aes128',
      kcv: toHex(aesKcv(aes)),
    });
    expect(await macNow()).toHaveLength(16);
    expect(await verifies(old)).toBe(true);
  });

  test('one that is wrong is refused, and the key in use stays', async () => {
    const wrong: readonly (readonly [rule: string, wrapped: WrappedZoneKey])[] = [
      ['kcvMismatch', { ...cryptogram(tdesKey()), kcv: '000000' }],
      ['kcvMismatch', cryptogram(tdesKey(), tdesKey())],
      ['badKey', { cryptogram: Buffer.alloc(8), kcv: '000000' }],
      ['weakProtection', cryptogram(tdesKey(24))],
      ['notAllowed', block('zone-pin', tdesKey())],
      ['notAllowed', block('mac', tdesKey(), 'T', { usage: 'M3', mode: 'G' })],
      ['notAllowed', block('mac', tdesKey(), 'T', { usage: 'M3', mode: 'V' })],
      ['notAllowed', block('mac', tdesKey(), 'T', { usage: 'M1', mode: 'C' })],
      ['badHeader', { block: 'D0000' }],
    ];
    await replace(cryptogram(tdesKey()));
    const before = await macNow();
    for (const [rule, wrapped] of wrong) {
      const error = await failure(replace(wrapped));
      expect(error).toMatchObject({ code: 'bad-data', message: expect.stringContaining(rule) });
    }
    for (const keepOldMs of [-1, 0.5, MAX_ZONE_KEY_OVERLAP_MS + 1])
      expect((await failure(replace(cryptogram(tdesKey()), { keepOldMs }))).code).toBe('bad-data');
    const stranger = await failure(replace(cryptogram(tdesKey()), { partner: 'OTHER' }));
    expect(stranger.code).toBe('unknown-key');
    expect(await macNow()).toEqual(before);
  });

  test('a transport key that was rotated still opens what is on its way', async () => {
    const { id } = harness.backend.keys.find('zmk', 'ACQ') ?? {};
    harness.backend.keys.rotate(id ?? '', { id: 'zmk-2', key: tdesKey(), keepOldMs: 60_000 });
    harness.reopen();
    const key = tdesKey();
    expect(await replace(cryptogram(key))).toMatchObject({ kcv: toHex(tdesKcv(key)) });
  });
});

test('live mode takes no published key in place of another', async () => {
  const home = temporaryHome();
  try {
    const store = SoftwareKeyStore.create(keyStoreOptions(securityFiles(home), 'live', systemRandom));
    store.add({ id: 'zmk', usage: 'zmk', algorithm: 'tdes2', scope: 'ACQ', label: '', key: zmk });
    const module = new SoftwareSecurityModule(store);
    const about = { partner: 'ACQ', usage: 'mac', keepOldMs: 0 } as const;
    const own = await module.replaceZoneKey({ ...about, wrapped: cryptogram(tdesKey()) });
    const published = cryptogram(developmentKey('zoneMacKey'));
    const error = await failure(module.replaceZoneKey({ ...about, wrapped: published }));
    expect(error.message).toContain('testKeyInLive');
    expect(store.find('mac', 'ACQ')).toEqual(own);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
