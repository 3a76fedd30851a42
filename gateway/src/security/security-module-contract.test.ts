import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { fromHex, toHex } from '@tillbridge/protocol/bytes.js';
import { pvv } from '@tillbridge/protocol/crypto/card-values.js';
import { arqc } from '@tillbridge/protocol/crypto/cryptogram.js';
import {
  acData,
  acSessionKey,
  CVN_PROFILES,
  type CvnName,
} from '@tillbridge/protocol/crypto/cvn-profiles.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { deriveIccMasterKey } from '@tillbridge/protocol/crypto/emv-keys.js';
import { ibm3624Offset } from '@tillbridge/protocol/crypto/ibm3624.js';
import { tdesKcv } from '@tillbridge/protocol/crypto/kcv.js';
import { wrapKeyBlock } from '@tillbridge/protocol/crypto/key-block.js';
import { decipherPin, encipherPin } from '@tillbridge/protocol/crypto/pin-translation.js';
import { withOddParity } from '@tillbridge/protocol/crypto/tdes.js';
import { decodeTlv, encodeTlv, findTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyAlgorithm, KeyInfo, KeyUsage } from './key-store.js';
import { BACKENDS, type OpenBackend } from './security-backends.test.support.js';
import { type ImportKeyBlockRequest, type SecurityModule, SecurityModuleError } from './security-module.js';
import type { SoftwareKeyStore } from './software-key-store.js';
import { openKeyStore, temporaryHome } from './test-keys.test.support.js';

interface Vector {
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>> & { readonly tags: Readonly<Record<string, string>> };
  readonly expected: Readonly<Record<string, string>>;
}

function vectors(topic: string, wanted: (inputs: Vector['inputs']) => boolean): readonly Vector[] {
  const file = new URL(`../../../test/vectors/${topic}.json`, import.meta.url);
  const all = (JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] }).vectors;
  return all.filter(({ inputs }) => wanted(inputs));
}

let home: string;
let store: SoftwareKeyStore;
let module: SecurityModule;
let backend: OpenBackend;

/** A key where the implementation keeps such keys; the module sees it afterwards. */
function addKey(
  usage: KeyUsage,
  algorithm: KeyAlgorithm,
  key: Uint8Array,
  scope = '',
  deviceType?: string,
): KeyInfo {
  const ofDevices = deviceType !== undefined && { deviceType };
  const info = backend.keys.add({
    id: `${usage}-${scope}`,
    usage,
    algorithm,
    scope,
    label: '',
    key,
    ...ofDevices,
  });
  module = backend.module();
  return info;
}

async function failure(promise: Promise<unknown>): Promise<SecurityModuleError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SecurityModuleError);
  return error as SecurityModuleError;
}

/** Issuer application data of each version, and what of them the cryptogram covers. */
const VERSIONS: readonly (readonly [name: CvnName, iad: string, covered: string])[] = [
  ['visaCvn10', '06010A03A06010', '03A06010'],
  ['visaCvn17', '06011103A00000', 'A0'],
  ['visaCvn18', '06011203A0B800', '06011203A0B800'],
  ['visaCvn22', `1F2201${'03A0B80000'}${'00'.repeat(24)}`, `1F2201${'03A0B80000'}${'00'.repeat(24)}`],
  [
    'interacCvn133',
    '1501850440B100000000B00000000000000000000000',
    '1501850440B100000000B00000000000000000000000',
  ],
  ['mastercardCvn16', '0110A00003220000DAC000000000000000FF', 'A00003220000'],
  ['mastercardCvn17', '0111A00003220000DAC000000000000322FF', 'A0000322000000000000000322FF'],
  ['mastercardCvn20', '0114A00003220000DAC000000000000322FF', 'A00003220000'],
  ['mastercardCvn21', '0115A00003220000DAC000000000000322FF', 'A0000322000000000000000322FF'],
];
const ELEMENTS: Readonly<Record<string, string>> = {
  '82': '1800',
  '95': '8000048000',
  '9F02': '000000004000',
  '9F03': '000000000000',
  '9F1A': '0124',
  '5F2A': '0124',
  '9A': '191105',
  '9C': '01',
  '9F37': '52BF4585',
  '9F36': '001C',
};
const PAN = '1234567890123456';

function cardData(elements: Readonly<Record<string, string>>, iad: string, cryptogram: Uint8Array): Buffer {
  return encodeTlv([
    ...Object.entries(elements).map(([tag, hex]) => tlv(tag, fromHex(hex))),
    tlv('9F10', fromHex(iad)),
    tlv('9F27', fromHex('80')),
    tlv('9F26', cryptogram),
  ]);
}

describe.each(BACKENDS)('$name', ({ skip, open, end }) => {
  describe.skipIf(skip !== undefined)(skip ?? 'as every security module', () => {
    beforeEach(() => {
      home = temporaryHome();
      store = openKeyStore(home);
      backend = open(store);
      module = backend.module();
    });
    afterAll(end);
    afterEach(() => {
      backend.close();
      rmSync(home, { recursive: true, force: true });
    });

    describe('account data', () => {
      const sred = vectors('sred', () => true);

      test('there are vectors of TDES and AES', () => {
        expect(new Set(sred.map(({ inputs }) => inputs.dukpt))).toEqual(new Set(['tdes', 'aes']));
      });

      test.each(sred)('$name', async ({ inputs, expected }) => {
        const bdk = fromHex(inputs.bdk ?? '');
        if (inputs.dukpt === 'aes') addKey('bdk-data', `aes${(bdk.length * 8) as 128 | 192 | 256}`, bdk);
        else addKey('bdk-data', 'tdes2', withOddParity(bdk));
        const [ksn, iv, data] = [inputs.ksn, inputs.iv, inputs.ciphertext].map((hex) => fromHex(hex ?? ''));
        if (!ksn || !iv || !data) throw new Error('the vector is incomplete');
        const request = module.decryptAccountData({ profile: 'default', ksn, data, iv });
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
        addKey('bdk-data', algorithm, algorithm === 'tdes2' ? withOddParity(key) : key, '12');
        const ask = (ksn: Buffer) => {
          const request = { profile: 'default', ksn, data: Buffer.alloc(48) };
          return failure(module.decryptAccountData(request));
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

    test('tells the key sets of its account data and the device type of each', () => {
      const key = () => withOddParity(randomBytes(16));
      addKey('bdk-data', 'tdes2', key(), 'FFFF98', 'GERTEC_PPC930');
      addKey('bdk-data', 'aes128', randomBytes(16), 'FFFF');
      addKey('bdk-pin', 'tdes2', key(), 'FFFF99', 'default');
      const sets = new Map([
        ['FFFF', undefined],
        ['FFFF98', 'GERTEC_PPC930'],
      ]);
      expect(backend.module().deviceKeySets()).toEqual(sets);
      const again = () => addKey('bdk-data', 'tdes2', key(), 'FFFF98', 'default');
      expect(again).toThrow(/keyExists/);
      const unknown = () => addKey('bdk-data', 'tdes2', key(), 'FFFF97', 'OTHER');
      expect(unknown).toThrow(/OTHER is no device type/);
      expect(backend.module().deviceKeySets()).toEqual(sets);
    });

    describe('PIN blocks of AES DUKPT', () => {
      const published = vectors(
        'dukpt-aes',
        ({ op, pinBlockFormat, workingKey, bdk }) =>
          op === 'encryptPin' &&
          Number(pinBlockFormat) === 4 &&
          workingKey === `aes${(bdk ?? '').length * 4}`,
      );

      test('there are published blocks', () => expect(published.length).toBeGreaterThan(0));

      test.each(published)('$name goes to an AES and to a TDES zone', async ({ inputs, expected }) => {
        const bdk = fromHex(inputs.bdk ?? '');
        addKey('bdk-pin', `aes${(bdk.length * 8) as 128 | 192 | 256}`, bdk);
        const [aesZone, tdesZone] = [randomBytes(32), withOddParity(randomBytes(16))];
        addKey('zone-pin', 'aes256', aesZone, 'NEW');
        addKey('zone-pin', 'tdes2', tdesZone, 'OLD');
        const [pan = '', pin] = [inputs.pan, inputs.pin];
        const request = {
          ksn: fromHex(inputs.ksn ?? ''),
          pinBlock: fromHex(expected.encryptedPinBlock ?? ''),
          pan,
        };
        const modern = await module.translatePin({ ...request, zone: 'NEW' });
        expect(decipherPin({ format: 4, cipher: 'aes', key: aesZone }, modern.pinBlock, pan).toString()).toBe(
          pin,
        );
        const old = await module.translatePin({ ...request, zone: 'OLD' });
        expect(decipherPin({ format: 0, cipher: 'tdes', key: tdesZone }, old.pinBlock, pan).toString()).toBe(
          pin,
        );
        const short = { ...request, pinBlock: request.pinBlock.subarray(8), zone: 'OLD' };
        expect((await failure(module.translatePin(short))).code).toBe('bad-data');
      });

      test('a TDES base key serves no AES device', async () => {
        addKey('bdk-pin', 'tdes2', withOddParity(randomBytes(16)));
        addKey('zone-pin', 'tdes2', withOddParity(randomBytes(16)), 'INTERNAL');
        const ksn = fromHex('123456789012345600000001');
        const request = { ksn, pinBlock: randomBytes(16), pan: '4111111111111111' };
        expect(await failure(module.translatePin(request))).toMatchObject({ code: 'unknown-key' });
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

      test.each(zones)(
        'go to a zone key of %s and are verified by both methods',
        async (algorithm, bytes) => {
          addKey('bdk-pin', 'tdes2', bdk, 'FFFF');
          addKey('zone-pin', algorithm, newKey(algorithm, bytes), 'ACQ');
          addKey('pvk', 'tdes2', withOddParity(pvk), '1:');
          addKey('pvk-ibm', 'tdes2', withOddParity(pvk), '4');
          for (const format of [0, 1, 3] as const) {
            const pin = await module.translatePin(fromTerminal('12345', format));
            const stored = pvv(withOddParity(pvk), '1', VISA, '12345');
            const offset = ibm3624Offset(withOddParity(pvk), ibm3624, VISA, '12345');
            const byPvv = { pin, pan: VISA, pvki: '1', pvv: stored };
            expect(await module.verifyPin(byPvv)).toBe(true);
            expect(
              await module.verifyPin({
                ...byPvv,
                pvv: String((Number(stored) + 1) % 10_000).padStart(4, '0'),
              }),
            ).toBe(false);
            const byOffset = { pin, pan: VISA, ibm3624, offset };
            expect(await module.verifyPin(byOffset)).toBe(true);
            expect(
              await module.verifyPin({
                ...byOffset,
                offset: offset.replace(/.$/, (d) => String((Number(d) + 1) % 10)),
              }),
            ).toBe(false);
            expect(await module.verifyPin({ ...byOffset, offset: offset.slice(1) })).toBe(false);
            expect((await failure(module.verifyPin({ ...byPvv, pvki: '2' }))).code).toBe('unknown-key');
            expect((await failure(module.verifyPin({ ...byOffset, pan: '5555555555554444' }))).code).toBe(
              'unknown-key',
            );
          }
        },
      );

      test('never change their PAN, and no message tells a digit of them', async () => {
        addKey('bdk-pin', 'tdes2', bdk, 'FFFF');
        addKey('zone-pin', 'tdes2', newKey('tdes2', 16), 'ACQ');
        addKey('pvk', 'tdes2', withOddParity(pvk), '1:');
        const other = '4999999999999999';
        const error = await failure(module.translatePin({ ...fromTerminal('98765', 0), pan: other }));
        expect(error.code).toBe('bad-data');
        expect(error.message).not.toMatch(/98765|\d{7}/);
        const pin = await module.translatePin(fromTerminal('98765', 0));
        expect((await failure(module.verifyPin({ pin, pan: other, pvki: '1', pvv: '0000' }))).code).toBe(
          'bad-data',
        );
        const short = {
          pin: { ...pin, pinBlock: pin.pinBlock.subarray(1) },
          pan: VISA,
          pvki: '1',
          pvv: '0000',
        };
        expect((await failure(module.verifyPin(short))).code).toBe('bad-data');
      });

      test.each(['tdes2', 'aes256'] as const)(
        'on their way while a zone key of %s is rotated still arrive',
        async (algorithm) => {
          const bytes = algorithm === 'tdes2' ? 16 : 32;
          addKey('bdk-pin', 'tdes2', bdk, 'FFFF');
          const zone = addKey('zone-pin', algorithm, newKey(algorithm, bytes), 'ACQ');
          addKey('pvk', 'tdes2', withOddParity(pvk), '1:');
          const old = await module.translatePin(fromTerminal('1234', 0));
          const stored = { pan: VISA, pvki: '1', pvv: pvv(withOddParity(pvk), '1', VISA, '1234') };
          const next = backend.keys.rotate(zone.id, {
            id: 'next',
            key: newKey(algorithm, bytes),
            keepOldMs: 60_000,
          });
          module = backend.module();
          const fresh = await module.translatePin(fromTerminal('1234', 0));
          expect([old.zoneKcv, fresh.zoneKcv]).toEqual([zone.kcv, next.kcv]);
          const { zoneKcv: _, ...unnamed } = old;
          for (const pin of [old, fresh, unnamed])
            expect(await module.verifyPin({ pin, ...stored })).toBe(true);
          backend.keys.rotate(next.id, { id: 'last', key: newKey(algorithm, bytes), keepOldMs: 0 });
          module = backend.module();
          expect((await failure(module.verifyPin({ pin: fresh, ...stored }))).code).toBe('unknown-key');
        },
      );
    });

    describe('cryptogram versions', () => {
      test.each(VERSIONS)('%s: the issuer knows the card’s cryptogram', async (name, iad, covered) => {
        const imk = withOddParity(randomBytes(16));
        addKey('imk-ac', 'tdes2', imk);
        const profile = CVN_PROFILES[name];
        const icc = deriveIccMasterKey(imk, PAN, '00', profile.iccMasterKey);
        const value = (tag: string): Buffer => fromHex(ELEMENTS[tag] ?? '');
        const key = acSessionKey(profile, icc, value('9F36'), value('9F37'));
        const cryptogram = arqc(key, acData(profile, value, fromHex(covered)), profile.padding);
        const request = { pan: PAN, panSequenceNumber: '00', responseCode: '00' };
        const right = await module.verifyArqcAndMakeArpc({
          ...request,
          iccData: cardData(ELEMENTS, iad, cryptogram),
        });
        expect(right.valid).toBe(true);
        expect(findTlv(decodeTlv(right.iccDataResponse ?? Buffer.alloc(0)), '91')).toHaveLength(
          profile.arpcMethod === 'method1' ? 10 : 8,
        );
        const moreMoney = { ...ELEMENTS, '9F02': '000000004001' };
        const wrong = await module.verifyArqcAndMakeArpc({
          ...request,
          iccData: cardData(moreMoney, iad, cryptogram),
        });
        expect(wrong.valid).toBe(false);
      });

      const IADS: Readonly<Record<string, (inputs: Vector['inputs']) => string>> = {
        visaCvn10: ({ cvr }) => `06010A${cvr}`,
        interacCvn133: ({ tags }) => tags['9F10'] ?? '',
        mastercardCvn16: ({ cvr }) => `0110${cvr}0000${'00'.repeat(8)}`,
        mastercardCvn20: ({ cvr }) => `0114${cvr}0000${'00'.repeat(8)}`,
        mastercardCvn21: ({ cvr, counters }) => `0115${cvr}0000${counters}`,
      };
      const published = vectors(
        'emv-cvn-scripts',
        ({ op, cvn }) => op === 'cvnProfile' && (cvn ?? '') in IADS,
      );

      test.each(published)('$name: published cryptogram', async ({ inputs, expected }) => {
        addKey('imk-ac', 'tdes2', withOddParity(fromHex(inputs.imkAc ?? '')));
        const { '9F10': _iad, ...elements } = inputs.tags;
        const iad = IADS[inputs.cvn ?? '']?.(inputs) ?? '';
        const printable = /^(3[0-9]|4[1-9A-F]|5[0-9A]){2}$/.test(inputs.arc ?? '');
        const verdict = await module.verifyArqcAndMakeArpc({
          pan: inputs.pan ?? '',
          panSequenceNumber: inputs.psn ?? '',
          responseCode: printable ? fromHex(inputs.arc ?? '').toString('latin1') : '00',
          iccData: cardData(elements, iad, fromHex(expected.arqc ?? '')),
        });
        expect(verdict.valid).toBe(true);
        const answer =
          findTlv(decodeTlv(verdict.iccDataResponse ?? Buffer.alloc(0)), '91') ?? Buffer.alloc(0);
        if (printable) expect(toHex(answer)).toBe(`${expected.arpc}${inputs.arc}`);
      });

      test('every scheme has a published one', () => {
        expect(new Set(published.map(({ inputs }) => inputs.cvn))).toEqual(new Set(Object.keys(IADS)));
      });
    });

    describe('message authentication codes', () => {
      test('are the published ones', async () => {
        addKey('mac', 'aes128', fromHex('2B7E151628AED2A6ABF7158809CF4F3C'), 'AES');
        addKey('mac', 'tdes2', withOddParity(fromHex('AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB')), 'TDES');
        addKey('mac', 'tdes2', withOddParity(fromHex('6D5A635DCF5D9AA95AC83382D267CC40')), 'PEER');
        const empty = Buffer.alloc(0);
        const aes = await module.generateMac({ partner: 'AES', method: 'cmac', data: empty });
        expect(toHex(aes)).toBe('BB1D6929E95937287FA37D129B756746');
        const padding = 'iso9797Method2';
        const data = Buffer.from('hello world');
        const retail = { partner: 'TDES', method: 'iso9797Algorithm3', padding, data } as const;
        expect(toHex(await module.generateMac(retail))).toBe('2BC2D9EDE0CF31F6');
        const peer = { partner: 'PEER', method: 'cmac', data: fromHex('46D000BFCFCA8B6A') } as const;
        expect(toHex(await module.generateMac(peer))).toBe('F20EC04CA284442D');
        const mismatch = module.generateMac({ ...retail, partner: 'AES' });
        expect((await failure(mismatch)).code).toBe('bad-data');
        expect((await failure(module.generateMac({ ...retail, partner: 'NOBODY' }))).code).toBe(
          'unknown-key',
        );
      });
    });

    describe('message authentication codes of partners', () => {
      test.each([
        ['tdes2', 16, 'iso9797Algorithm3', 8],
        ['tdes2', 16, 'cmac', 8],
        ['tdes3', 24, 'cmac', 8],
        ['aes128', 16, 'cmac', 16],
        ['aes256', 32, 'cmac', 16],
      ] as const)(
        '%s: verified before and for a time after a rotation',
        async (algorithm, bytes, method, macBytes) => {
          const newKey = () => (macBytes === 8 ? withOddParity(randomBytes(bytes)) : randomBytes(bytes));
          const info = addKey('mac', algorithm, newKey(), 'ACQ');
          for (const length of [0, 1, 8, 16, 17, 300]) {
            const message = { partner: 'ACQ', method, data: randomBytes(length) };
            const mac = await module.generateMac(message);
            expect(mac).toHaveLength(macBytes);
            for (const sent of [mac, mac.subarray(0, 4)])
              expect(await module.verifyMac({ ...message, mac: sent })).toBe(true);
            const wrong = Buffer.from(mac);
            wrong[macBytes - 1] = (wrong[macBytes - 1] ?? 0) ^ 1;
            expect(await module.verifyMac({ ...message, mac: wrong })).toBe(false);
          }
          const message = { partner: 'ACQ', method, data: Buffer.from('on its way') };
          const old = await module.generateMac(message);
          const next = backend.keys.rotate(info.id, { id: 'next', key: newKey(), keepOldMs: 60_000 });
          module = backend.module();
          const fresh = await module.generateMac(message);
          expect(toHex(fresh)).not.toBe(toHex(old));
          for (const mac of [old, fresh]) expect(await module.verifyMac({ ...message, mac })).toBe(true);
          backend.keys.rotate(next.id, { id: 'last', key: newKey(), keepOldMs: 0 });
          module = backend.module();
          expect(await module.verifyMac({ ...message, mac: fresh })).toBe(false);
          expect((await failure(module.verifyMac({ ...message, mac: old.subarray(0, 3) }))).code).toBe(
            'bad-data',
          );
          expect((await failure(module.verifyMac({ ...message, partner: 'X', mac: old }))).code).toBe(
            'unknown-key',
          );
        },
      );
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

      beforeEach(() => addKey('kbpk', 'aes256', kbpk, 'ACQ'));

      test('bring a key in, which then works', async () => {
        const probe = { profile: 'default', ksn: fromHex('FFFF0176543210E00001'), data: Buffer.alloc(48) };
        expect((await failure(module.decryptAccountData(probe))).code).toBe('unknown-key');
        const info = await module.importKeyBlock(request(wrap()));
        expect(info).toMatchObject({ usage: 'bdk-data', algorithm: 'tdes2', scope: 'FFFF01' });
        expect(info.kcv).toBe(toHex(tdesKcv(key)));
        // Found and used: what it makes of zeros is no account data.
        expect((await failure(module.decryptAccountData(probe))).code).toBe('bad-data');
        const again = await failure(module.importKeyBlock(request(wrap())));
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
        const error = await failure(module.importKeyBlock(request(block())));
        expect(error.code).toBe('bad-data');
        expect(error.message.toUpperCase()).not.toContain(toHex(key).slice(0, 8));
        expect(backend.keys.list()).toHaveLength(1);
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
          const info = addKey('kbpk', algorithm, protection, 'PEER');
          const block = wrapKeyBlock(protection, { ...header, version }, key, { random: randomBytes });
          const asked = { ...request(block), partner: 'PEER' };
          backend.keys.rotate(info.id, { id: 'next', key: newKey(), keepOldMs: 60_000 });
          module = backend.module();
          expect((await module.importKeyBlock(asked)).kcv).toBe(toHex(tdesKcv(key)));
          const stranger = wrapKeyBlock(newKey(), { ...header, version }, key, { random: randomBytes });
          const error = await failure(
            module.importKeyBlock({ ...asked, block: stranger, id: 'other', scope: 'FFFF02' }),
          );
          expect(error).toMatchObject({ code: 'bad-data', message: expect.stringContaining('badMac') });
        },
      );

      test('under a protection key that is not there are refused', async () => {
        const error = await failure(module.importKeyBlock({ ...request(wrap()), partner: 'OTHER' }));
        expect(error.code).toBe('unknown-key');
      });
    });
  });
});
