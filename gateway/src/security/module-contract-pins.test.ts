import { randomBytes } from 'node:crypto';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { pvv } from '@tillbridge/wire/crypto/pin/card-values.js';
import { ibm3624Offset } from '@tillbridge/wire/crypto/pin/ibm3624.js';
import { decipherPin, encipherPin } from '@tillbridge/wire/crypto/pin/pin-translation.js';
import { describe, expect, test } from 'vitest';
import type { KeyAlgorithm } from './keys/key-store.js';
import { failure, onEveryModule, vectors } from './module-contract.test.support.js';

onEveryModule((harness) => {
  describe('account data', () => {
    const sred = vectors('sred', () => true);

    test('there are vectors of TDES and AES', () => {
      expect(new Set(sred.map(({ inputs }) => inputs.dukpt))).toEqual(new Set(['tdes', 'aes']));
    });

    test.each(sred)('$name', async ({ inputs, expected }) => {
      const bdk = fromHex(inputs.bdk ?? '');
      if (inputs.dukpt === 'aes')
        harness.addKey('bdk-data', `aes${(bdk.length * 8) as 128 | 192 | 256}`, bdk);
      else harness.addKey('bdk-data', 'tdes2', withOddParity(bdk));
      const [ksn, iv, data] = [inputs.ksn, inputs.iv, inputs.ciphertext].map((hex) => fromHex(hex ?? ''));
      if (!ksn || !iv || !data) throw new Error('the vector is incomplete');
      const request = harness.module.decryptAccountData({ profile: 'default', ksn, data, iv });
      if (expected.error !== undefined) {
        expect((await failure(request)).code).toBe('bad-data');
        return;
      }
      const { pan, track2, expiryYear, expiryMonth } = await request;
      expect({ pan, track2, expiry: expiryYear.slice(2) + expiryMonth }).toEqual({
        pan: expected.pan,
        track2: expected.track2,
        expiry: expected.expiryYYMM,
      });
    });

    test.each([
      ['aes128', 16, 12],
      ['aes256', 32, 12],
      ['tdes2', 16, 10],
    ] as const)('of illegal or unknown KSNs is refused: %s', async (algorithm, keyBytes, ksnBytes) => {
      const key = randomBytes(keyBytes);
      harness.addKey('bdk-data', algorithm, algorithm === 'tdes2' ? withOddParity(key) : key, '12');
      const ask = (ksn: Buffer) => {
        const request = { profile: 'default', ksn, data: Buffer.alloc(48) };
        return failure(harness.module.decryptAccountData(request));
      };
      const ksn = Buffer.alloc(ksnBytes, 0x12);
      expect((await ask(Buffer.from(ksn).fill(0, ksnBytes - 4))).code).toBe('bad-data');
      expect((await ask(Buffer.from(ksn).fill(0xff, ksnBytes - 4))).code).toBe('bad-data');
      expect((await ask(Buffer.from(ksn).fill(0x34))).code).not.toBe('unavailable');
      const wrongKey = await ask(ksn);
      expect(wrongKey.code).toBe('bad-data');
      expect(wrongKey.message).not.toMatch(/\d{7}/);
    });
  });

  test('lists the key sets of its account data and the device type of each', () => {
    const key = () => withOddParity(randomBytes(16));
    harness.addKey('bdk-data', 'tdes2', key(), 'FFFF98', 'GERTEC_PPC930');
    harness.addKey('bdk-data', 'aes128', randomBytes(16), 'FFFF');
    harness.addKey('bdk-pin', 'tdes2', key(), 'FFFF99', 'default');
    const sets = new Map([
      ['FFFF', undefined],
      ['FFFF98', 'GERTEC_PPC930'],
    ]);
    expect(harness.backend.module().deviceKeySets()).toEqual(sets);
    const again = () => harness.addKey('bdk-data', 'tdes2', key(), 'FFFF98', 'default');
    expect(again).toThrow(/keyExists/);
    const unknown = () => harness.addKey('bdk-data', 'tdes2', key(), 'FFFF97', 'OTHER');
    expect(unknown).toThrow(/OTHER is no device type/);
    expect(harness.backend.module().deviceKeySets()).toEqual(sets);
  });

  describe('PIN blocks of AES DUKPT', () => {
    const published = vectors(
      'dukpt-aes',
      ({ op, pinBlockFormat, workingKey, bdk }) =>
        op === 'encryptPin' && Number(pinBlockFormat) === 4 && workingKey === `aes${(bdk ?? '').length * 4}`,
    );

    test('there are published blocks', () => expect(published.length).toBeGreaterThan(0));

    test.each(published)('$name goes to an AES and to a TDES zone', async ({ inputs, expected }) => {
      const bdk = fromHex(inputs.bdk ?? '');
      harness.addKey('bdk-pin', `aes${(bdk.length * 8) as 128 | 192 | 256}`, bdk);
      const [aesZone, tdesZone] = [randomBytes(32), withOddParity(randomBytes(16))];
      harness.addKey('zone-pin', 'aes256', aesZone, 'NEW');
      harness.addKey('zone-pin', 'tdes2', tdesZone, 'OLD');
      const [pan = '', pin] = [inputs.pan, inputs.pin];
      const request = {
        ksn: fromHex(inputs.ksn ?? ''),
        pinBlock: fromHex(expected.encryptedPinBlock ?? ''),
        pan,
      };
      const modern = await harness.module.translatePin({ ...request, zone: 'NEW' });
      expect(decipherPin({ format: 4, cipher: 'aes', key: aesZone }, modern.pinBlock, pan).toString()).toBe(
        pin,
      );
      const old = await harness.module.translatePin({ ...request, zone: 'OLD' });
      expect(decipherPin({ format: 0, cipher: 'tdes', key: tdesZone }, old.pinBlock, pan).toString()).toBe(
        pin,
      );
      const short = { ...request, pinBlock: request.pinBlock.subarray(8), zone: 'OLD' };
      expect((await failure(harness.module.translatePin(short))).code).toBe('bad-data');
    });

    test('a TDES base key serves no AES device', async () => {
      harness.addKey('bdk-pin', 'tdes2', withOddParity(randomBytes(16)));
      harness.addKey('zone-pin', 'tdes2', withOddParity(randomBytes(16)), 'INTERNAL');
      const ksn = fromHex('123456789012345600000001');
      const request = { ksn, pinBlock: randomBytes(16), pan: '4111111111111111' };
      expect(await failure(harness.module.translatePin(request))).toMatchObject({ code: 'unknown-key' });
    });
  });

  describe('PINs', () => {
    const VISA = '4761739001010010';
    const pvk = fromHex('0123456789ABCDEFFEDCBA9876543210');
    const ibm3624 = {
      decimalisationTable: '0123456789012345',
      panVerifyOffset: 0,
      panVerifyLength: 12,
      panPad: 'F',
    };
    const zones: readonly (readonly [KeyAlgorithm, number])[] = [
      ['tdes2', 16],
      ['tdes3', 24],
      ['aes128', 16],
      ['aes192', 24],
      ['aes256', 32],
    ];
    const ksn = fromHex('FFFF9876543210E00005');
    const bdk = withOddParity(randomBytes(16));
    const fromTerminal = (pin: string, format: 0 | 1 | 3, pan = VISA) => {
      const key = workingKey(deriveTransactionKey(deriveInitialKey(bdk, ksn), ksn), 'pin');
      const pinBlock = encipherPin({ format, cipher: 'tdes', key }, pin, pan, randomBytes);
      return { ksn, pinBlock, pan, format, zone: 'ACQ' };
    };
    const newKey = (algorithm: KeyAlgorithm, bytes: number): Buffer =>
      algorithm.startsWith('tdes') ? withOddParity(randomBytes(bytes)) : randomBytes(bytes);

    test.each(zones)('go to a zone key of %s and are verified by both methods', async (algorithm, bytes) => {
      harness.addKey('bdk-pin', 'tdes2', bdk, 'FFFF');
      harness.addKey('zone-pin', algorithm, newKey(algorithm, bytes), 'ACQ');
      harness.addKey('pvk', 'tdes2', withOddParity(pvk), '1:');
      harness.addKey('pvk-ibm', 'tdes2', withOddParity(pvk), '4');
      for (const format of [0, 1, 3] as const) {
        const pin = await harness.module.translatePin(fromTerminal('12345', format));
        const stored = pvv(withOddParity(pvk), '1', VISA, '12345');
        const offset = ibm3624Offset(withOddParity(pvk), ibm3624, VISA, '12345');
        const byPvv = { pin, pan: VISA, pvki: '1', pvv: stored };
        expect(await harness.module.verifyPin(byPvv)).toBe(true);
        expect(
          await harness.module.verifyPin({
            ...byPvv,
            pvv: String((Number(stored) + 1) % 10_000).padStart(4, '0'),
          }),
        ).toBe(false);
        const byOffset = { pin, pan: VISA, ibm3624, offset };
        expect(await harness.module.verifyPin(byOffset)).toBe(true);
        expect(
          await harness.module.verifyPin({
            ...byOffset,
            offset: offset.replace(/.$/, (d) => String((Number(d) + 1) % 10)),
          }),
        ).toBe(false);
        expect(await harness.module.verifyPin({ ...byOffset, offset: offset.slice(1) })).toBe(false);
        expect((await failure(harness.module.verifyPin({ ...byPvv, pvki: '2' }))).code).toBe('unknown-key');
        expect((await failure(harness.module.verifyPin({ ...byOffset, pan: '5555555555554444' }))).code).toBe(
          'unknown-key',
        );
      }
    });

    test('never change their PAN, and no message reveals a digit of them', async () => {
      harness.addKey('bdk-pin', 'tdes2', bdk, 'FFFF');
      harness.addKey('zone-pin', 'tdes2', newKey('tdes2', 16), 'ACQ');
      harness.addKey('pvk', 'tdes2', withOddParity(pvk), '1:');
      const other = '4999999999999999';
      const error = await failure(harness.module.translatePin({ ...fromTerminal('98765', 0), pan: other }));
      expect(error.code).toBe('bad-data');
      expect(error.message).not.toMatch(/98765|\d{7}/);
      const pin = await harness.module.translatePin(fromTerminal('98765', 0));
      expect(
        (await failure(harness.module.verifyPin({ pin, pan: other, pvki: '1', pvv: '0000' }))).code,
      ).toBe('bad-data');
      const short = {
        pin: { ...pin, pinBlock: pin.pinBlock.subarray(1) },
        pan: VISA,
        pvki: '1',
        pvv: '0000',
      };
      expect((await failure(harness.module.verifyPin(short))).code).toBe('bad-data');
    });

    test.each(['tdes2', 'aes256'] as const)(
      'on their way while a zone key of %s is rotated still arrive',
      async (algorithm) => {
        const bytes = algorithm === 'tdes2' ? 16 : 32;
        harness.addKey('bdk-pin', 'tdes2', bdk, 'FFFF');
        const zone = harness.addKey('zone-pin', algorithm, newKey(algorithm, bytes), 'ACQ');
        harness.addKey('pvk', 'tdes2', withOddParity(pvk), '1:');
        const old = await harness.module.translatePin(fromTerminal('1234', 0));
        const stored = { pan: VISA, pvki: '1', pvv: pvv(withOddParity(pvk), '1', VISA, '1234') };
        const next = harness.backend.keys.rotate(zone.id, {
          id: 'next',
          key: newKey(algorithm, bytes),
          keepOldMs: 60_000,
        });
        harness.reopen();
        const fresh = await harness.module.translatePin(fromTerminal('1234', 0));
        expect([old.zoneKcv, fresh.zoneKcv]).toEqual([zone.kcv, next.kcv]);
        const { zoneKcv: _, ...unnamed } = old;
        for (const pin of [old, fresh, unnamed])
          expect(await harness.module.verifyPin({ pin, ...stored })).toBe(true);
        harness.backend.keys.rotate(next.id, { id: 'last', key: newKey(algorithm, bytes), keepOldMs: 0 });
        harness.reopen();
        expect((await failure(harness.module.verifyPin({ pin: fresh, ...stored }))).code).toBe('unknown-key');
      },
    );
  });
});
