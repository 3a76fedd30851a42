import { randomBytes } from 'node:crypto';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ImportKeyBlockRequest } from './module/security-module.js';
import { failure, onEveryModule } from './module-contract.test.support.js';

onEveryModule((harness) => {
  describe('message authentication codes', () => {
    test('are the published ones', async () => {
      harness.addKey('mac', 'aes128', fromHex('2B7E151628AED2A6ABF7158809CF4F3C'), 'AES');
      harness.addKey('mac', 'tdes2', withOddParity(fromHex('AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB')), 'TDES');
      harness.addKey('mac', 'tdes2', withOddParity(fromHex('6D5A635DCF5D9AA95AC83382D267CC40')), 'PEER');
      const empty = Buffer.alloc(0);
      const aes = await harness.module.generateMac({ partner: 'AES', method: 'cmac', data: empty });
      expect(toHex(aes)).toBe('BB1D6929E95937287FA37D129B756746');
      const padding = 'iso9797Method2';
      const data = Buffer.from('hello world');
      const retail = { partner: 'TDES', method: 'iso9797Algorithm3', padding, data } as const;
      expect(toHex(await harness.module.generateMac(retail))).toBe('2BC2D9EDE0CF31F6');
      // psec tests/test_mac.py (test/vectors, mac-kcv): parity does not change a key.
      const cbc = { ...retail, method: 'iso9797Algorithm1' } as const;
      expect(toHex(await harness.module.generateMac(cbc))).toBe('32DC341271ACCD00');
      const peer = { partner: 'PEER', method: 'cmac', data: fromHex('46D000BFCFCA8B6A') } as const;
      expect(toHex(await harness.module.generateMac(peer))).toBe('F20EC04CA284442D');
      const mismatch = harness.module.generateMac({ ...retail, partner: 'AES' });
      expect((await failure(mismatch)).code).toBe('bad-data');
      expect((await failure(harness.module.generateMac({ ...cbc, partner: 'AES' }))).code).toBe('bad-data');
      expect((await failure(harness.module.generateMac({ ...retail, partner: 'UNKNOWN' }))).code).toBe(
        'unknown-key',
      );
    });
  });

  describe('message authentication codes of partners', () => {
    test.each([
      ['tdes2', 16, 'iso9797Algorithm1', 8],
      ['tdes3', 24, 'iso9797Algorithm1', 8],
      ['tdes2', 16, 'iso9797Algorithm3', 8],
      ['tdes2', 16, 'cmac', 8],
      ['tdes3', 24, 'cmac', 8],
      ['aes128', 16, 'cmac', 16],
      ['aes256', 32, 'cmac', 16],
    ] as const)(
      '%s: verified before and for a time after a rotation',
      async (algorithm, bytes, method, macBytes) => {
        const newKey = () => (macBytes === 8 ? withOddParity(randomBytes(bytes)) : randomBytes(bytes));
        const info = harness.addKey('mac', algorithm, newKey(), 'ACQ');
        for (const length of [0, 1, 8, 16, 17, 300]) {
          const message = { partner: 'ACQ', method, data: randomBytes(length) };
          const mac = await harness.module.generateMac(message);
          expect(mac).toHaveLength(macBytes);
          for (const sent of [mac, mac.subarray(0, 4)])
            expect(await harness.module.verifyMac({ ...message, mac: sent })).toBe(true);
          const wrong = Buffer.from(mac);
          wrong[macBytes - 1] = (wrong[macBytes - 1] ?? 0) ^ 1;
          expect(await harness.module.verifyMac({ ...message, mac: wrong })).toBe(false);
        }
        const message = { partner: 'ACQ', method, data: Buffer.from('on its way') };
        const old = await harness.module.generateMac(message);
        const next = harness.backend.keys.rotate(info.id, { id: 'next', key: newKey(), keepOldMs: 60_000 });
        harness.reopen();
        const fresh = await harness.module.generateMac(message);
        expect(toHex(fresh)).not.toBe(toHex(old));
        for (const mac of [old, fresh])
          expect(await harness.module.verifyMac({ ...message, mac })).toBe(true);
        harness.backend.keys.rotate(next.id, { id: 'last', key: newKey(), keepOldMs: 0 });
        harness.reopen();
        expect(await harness.module.verifyMac({ ...message, mac: fresh })).toBe(false);
        expect((await failure(harness.module.verifyMac({ ...message, mac: old.subarray(0, 3) }))).code).toBe(
          'bad-data',
        );
        expect((await failure(harness.module.verifyMac({ ...message, partner: 'X', mac: old }))).code).toBe(
          'unknown-key',
        );
      },
    );
  });

  describe('message authentication codes by DUKPT', () => {
    const partner = 'ACQ';
    const data = Buffer.from('4012345678909D987');
    const dukpt = (direction: 'request' | 'response', ksn = 'FFFF9876543210E00001') => ({
      ksn: fromHex(ksn),
      direction,
    });

    test('are those of ANSI X9.24-1 annex A, one for each direction', async () => {
      harness.addKey('bdk-mac', 'tdes2', fromHex('0123456789ABCDEFFEDCBA9876543210'), 'FFFF98765');
      const request = { partner, data, dukpt: dukpt('request') };
      const response = { partner, data, dukpt: dukpt('response') };
      const [requestMac, responseMac] = [
        await harness.module.generateMac(request),
        await harness.module.generateMac(response),
      ];
      expect(toHex(requestMac)).toBe('9CCC78173FC4FB64');
      expect(toHex(responseMac)).toBe('20364223C1FF00FA');
      expect(await harness.module.verifyMac({ ...request, mac: requestMac.subarray(0, 4) })).toBe(true);
      expect(await harness.module.verifyMac({ ...request, mac: responseMac })).toBe(false);
      const later = { ...request, dukpt: dukpt('request', 'FFFF9876543210E00002') };
      expect(await harness.module.verifyMac({ ...later, mac: requestMac })).toBe(false);
    });

    // moov-io/dukpt, whose keys are those of ANSI X9.24-3 (test/vectors, dukpt-aes).
    test.each([
      ['123456789012345600000002', '4D104704C53491A60944193DCAF6B411', '008CEAAE2B913BEEE76209EE9406DAC1'],
      ['123456789012345600000003', '6A18904AA8E966A03505F5EEBDAEBD82', '40CB2F0C2E043D060063FAA916A849E1'],
      ['123456789012345600000008', '85C7CA68F55F51E7DCAC969B8C111130', 'B45399DB90C0BA75DB4B86605758695A'],
    ])('are the published ones of AES, one for each direction: %s', async (ksn, request, response) => {
      harness.addKey('bdk-mac', 'aes128', fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1'), '12345678');
      const requestOf = (direction: 'request' | 'response') => ({
        partner,
        data,
        dukpt: dukpt(direction, ksn),
      });
      expect(toHex(await harness.module.generateMac(requestOf('request')))).toBe(request);
      expect(toHex(await harness.module.generateMac(requestOf('response')))).toBe(response);
      const mac = fromHex(request);
      for (const sent of [mac, mac.subarray(0, 8), mac.subarray(0, 4)])
        expect(await harness.module.verifyMac({ ...requestOf('request'), mac: sent })).toBe(true);
      expect(await harness.module.verifyMac({ ...requestOf('response'), mac })).toBe(false);
    });

    test('need a base key of their use, a legal counter and four bytes', async () => {
      harness.addKey('bdk-pin', 'tdes2', withOddParity(randomBytes(16)), 'FFFF98765');
      const of = (direction: 'request' | 'response', ksn?: string) =>
        harness.module.generateMac({ partner, data, dukpt: dukpt(direction, ksn) });
      expect((await failure(of('request'))).code).toBe('unknown-key');
      harness.addKey('bdk-mac', 'tdes2', withOddParity(randomBytes(16)), 'FFFF98765');
      expect((await failure(of('request', 'FFFF9876543210E00000'))).code).toBe('bad-data');
      const mac = (await of('response')).subarray(0, 3);
      const short = harness.module.verifyMac({ partner, data, mac, dukpt: dukpt('response') });
      expect((await failure(short)).code).toBe('bad-data');
      // A serial number of AES needs a base key of AES, and has its own counter.
      expect((await failure(of('request', 'FFFF987600000001000000A1'))).code).toBe('unknown-key');
      harness.addKey('bdk-mac', 'aes256', randomBytes(32), 'FFFF9876000');
      expect(await of('request', 'FFFF987600000001000000A1')).toHaveLength(16);
      expect((await failure(of('request', 'FFFF987600000001FFFFFFFF'))).code).toBe('bad-data');
    });
  });

  describe('key blocks', () => {
    const kbpk = randomBytes(32);
    const key = withOddParity(randomBytes(16));
    const header = {
      version: 'D',
      usage: 'B0',
      algorithm: 'T',
      mode: 'X',
      keyVersion: '00',
      exportability: 'N',
      optionalBlocks: [],
    } as const;
    const wrap = (changes: Partial<Parameters<typeof wrapKeyBlock>[1]> = {}): string =>
      wrapKeyBlock(kbpk, { ...header, ...changes }, key, { random: randomBytes });
    const request = (block: string): ImportKeyBlockRequest => ({
      partner: 'ACQ',
      block,
      id: 'readers',
      usage: 'bdk-data',
      scope: 'FFFF01',
      label: 'readers',
    });

    beforeEach(() => harness.addKey('kbpk', 'aes256', kbpk, 'ACQ'));

    test('bring a key in, which then works', async () => {
      const probe = { profile: 'default', ksn: fromHex('FFFF0176543210E00001'), data: Buffer.alloc(48) };
      expect((await failure(harness.module.decryptAccountData(probe))).code).toBe('unknown-key');
      const info = await harness.module.importKeyBlock(request(wrap()));
      expect(info).toMatchObject({ usage: 'bdk-data', algorithm: 'tdes2', scope: 'FFFF01' });
      expect(info.kcv).toBe(toHex(tdesKcv(key)));
      // Found and used: what it makes of zeros is no account data.
      expect((await failure(harness.module.decryptAccountData(probe))).code).toBe('bad-data');
      const again = await failure(harness.module.importKeyBlock(request(wrap())));
      expect(again).toMatchObject({ code: 'bad-data', message: expect.stringContaining('keyExists') });
    });

    test.each([
      ['another use', () => wrap({ usage: 'P0' })],
      ['another mode', () => wrap({ mode: 'E' })],
      ['a changed character', () => wrap().replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
      ['version A', () => `A${wrap().slice(1)}`],
      ['version C', () => `C${wrap().slice(1)}`],
      ['no block at all', () => 'hello'],
    ])('with %s are refused, without a byte of the key', async (_what, block) => {
      const error = await failure(harness.module.importKeyBlock(request(block())));
      expect(error.code).toBe('bad-data');
      expect(error.message.toUpperCase()).not.toContain(toHex(key).slice(0, 8));
      expect(harness.backend.keys.list()).toHaveLength(1);
    });

    test.each([
      ['B', 'tdes2', 16],
      ['B', 'tdes3', 24],
      ['D', 'aes128', 16],
      ['D', 'aes256', 32],
    ] as const)(
      'of version %s open under a %s key, rotated or not, and under no other',
      async (version, algorithm, bytes) => {
        const newKey = () => (version === 'B' ? withOddParity(randomBytes(bytes)) : randomBytes(bytes));
        const protection = newKey();
        const info = harness.addKey('kbpk', algorithm, protection, 'PEER');
        const block = wrapKeyBlock(protection, { ...header, version }, key, { random: randomBytes });
        const importRequest = { ...request(block), partner: 'PEER' };
        harness.backend.keys.rotate(info.id, { id: 'next', key: newKey(), keepOldMs: 60_000 });
        harness.reopen();
        expect((await harness.module.importKeyBlock(importRequest)).kcv).toBe(toHex(tdesKcv(key)));
        const stranger = wrapKeyBlock(newKey(), { ...header, version }, key, { random: randomBytes });
        const error = await failure(
          harness.module.importKeyBlock({ ...importRequest, block: stranger, id: 'other', scope: 'FFFF02' }),
        );
        expect(error).toMatchObject({ code: 'bad-data', message: expect.stringContaining('badMac') });
      },
    );

    const KEY_BYTES = { tdes2: 16, tdes3: 24, aes128: 16, aes192: 24, aes256: 32 } as const;
    // NIST SP 800-57 Part 1 Rev. 5, table 2: the weakest first.
    const BY_STRENGTH = ['tdes2', 'tdes3', 'aes128', 'aes192', 'aes256'] as const;
    const pairs = BY_STRENGTH.flatMap((protection) =>
      BY_STRENGTH.map((inside) => [inside, protection] as const),
    );

    test.each(pairs)(
      'with a %s key under a %s key are taken where that is as strong',
      async (inside, protection) => {
        const version = protection.startsWith('tdes') ? 'B' : 'D';
        const newKey = (algorithm: keyof typeof KEY_BYTES): Buffer =>
          algorithm.startsWith('tdes')
            ? withOddParity(randomBytes(KEY_BYTES[algorithm]))
            : randomBytes(KEY_BYTES[algorithm]);
        const [strong, wrapped] = [newKey(protection), newKey(inside)];
        harness.addKey('kbpk', protection, strong, 'PEER');
        const algorithm = inside.startsWith('tdes') ? 'T' : 'A';
        const ofMac = { ...header, version, usage: 'M6', mode: 'C', algorithm } as const;
        const block = wrapKeyBlock(strong, ofMac, wrapped, { random: randomBytes });
        const importRequest = { ...request(block), partner: 'PEER', usage: 'mac', scope: 'ACQ' } as const;
        if (BY_STRENGTH.indexOf(inside) <= BY_STRENGTH.indexOf(protection)) {
          expect(await harness.module.importKeyBlock(importRequest)).toMatchObject({
            usage: 'mac',
            algorithm: inside,
          });
          return;
        }
        const error = await failure(harness.module.importKeyBlock(importRequest));
        expect(error).toMatchObject({ code: 'bad-data', message: expect.stringContaining('weakProtection') });
        expect(error.message).toContain('SP 800-57');
        for (const secret of [strong, wrapped])
          expect(error.message.toUpperCase()).not.toContain(toHex(secret).slice(0, 6));
        expect(harness.backend.keys.list().map(({ usage }) => usage)).toEqual(['kbpk', 'kbpk']);
      },
    );

    test('under a protection key that is not there are refused', async () => {
      const error = await failure(harness.module.importKeyBlock({ ...request(wrap()), partner: 'OTHER' }));
      expect(error.code).toBe('unknown-key');
    });
  });
});
