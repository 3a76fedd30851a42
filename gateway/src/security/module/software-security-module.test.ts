import { readFileSync, rmSync } from 'node:fs';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { tdesDecryptEcb, withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { verifyArpcMethod1, verifyArpcMethod2 } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { decodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { decodeTlv, encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { DEVELOPMENT_KEY_SETS } from '@tillbridge/wire/terminals/development-key-sets.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyUsage } from '../keys/key-store.js';
import type { SoftwareKeyStore } from '../keys/software-key-store.js';
import { openDevelopmentKeyStore, openKeyStore, temporaryHome } from '../test-keys.test.support.js';
import {
  EXAMPLE_KSN,
  encipheredPin,
  encipheredTrack2,
  exampleCryptogram,
  exampleIccData,
  exampleSessionKey,
  track2Of,
} from './card-example.test.support.js';
import { SecurityModuleError } from './security-module.js';
import { SoftwareSecurityModule } from './software-security-module.js';

interface Vector {
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>>;
}

function vectors(topic: string, wanted: (inputs: Vector['inputs']) => boolean): readonly Vector[] {
  const file = new URL(`../../../../test/vectors/${topic}.json`, import.meta.url);
  const all = (JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] }).vectors;
  return all.filter(({ inputs }) => wanted(inputs));
}

const VISA = TEST_CARDS.visaCredit.pan;
const MASTERCARD = TEST_CARDS.mastercardDebit.pan;
let home: string;

beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function withKey(usage: KeyUsage, scope: string, hex: string): SoftwareSecurityModule {
  const store = openKeyStore(home);
  store.add({ id: 'k', usage, algorithm: 'tdes2', scope, label: 'vector', key: withOddParity(fromHex(hex)) });
  return new SoftwareSecurityModule(store);
}

function development(): { module: SoftwareSecurityModule; store: SoftwareKeyStore } {
  const store = openDevelopmentKeyStore(home);
  return { module: new SoftwareSecurityModule(store), store };
}

async function code(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof SecurityModuleError ? error.code : `no security module error: ${String(error)}`;
}

describe('account data', () => {
  test('of a Gertec PPC930 is track 2', async () => {
    const track2 = track2Of(VISA, '4315');
    const { data, ksn } = encipheredTrack2(track2);
    const account = await development().module.decryptAccountData({ profile: 'GERTEC_PPC930', ksn, data });
    expect(account).toEqual({ pan: VISA, track2, expiryYear: '2031', expiryMonth: '12' });
  });

  test.each([...DEVELOPMENT_KEY_SETS])(
    'of a %s that cannot be read are bad data',
    async (profile, keySet) => {
      const { module } = development();
      for (let first = 0; first < 32; first += 1) {
        const data = Buffer.alloc(24, first);
        const opened = module.decryptAccountData({ profile, ksn: fromHex(`${keySet}543210E00001`), data });
        expect(await code(opened)).toBe('bad-data');
      }
    },
  );

  test('under another key, of an unknown device, or cut, is refused without a digit of it', async () => {
    const { module } = development();
    const { data } = encipheredTrack2(track2Of(VISA, '4315'));
    const other = fromHex('FFFF9876543210E00002');
    const profile = 'GERTEC_PPC930';
    const wrongKey = module.decryptAccountData({ profile, ksn: other, data });
    expect(await code(wrongKey)).toBe('bad-data');
    await expect(wrongKey).rejects.not.toThrow(/\d{7}/);
    expect(await code(module.decryptAccountData({ profile: 'UNKNOWN', ksn: EXAMPLE_KSN, data }))).toBe(
      'bad-data',
    );
    for (const bytes of [0, 7, 2_000]) {
      const cut = Buffer.alloc(bytes);
      expect(await code(module.decryptAccountData({ profile, ksn: EXAMPLE_KSN, data: cut }))).toBe(
        'bad-data',
      );
    }
    const unknown = fromHex('ABCD9876543210E00001');
    expect(await code(module.decryptAccountData({ profile, ksn: unknown, data }))).toBe('unknown-key');
    const counterZero = fromHex('FFFF9876543210E00000');
    expect(await code(module.decryptAccountData({ profile, ksn: counterZero, data }))).toBe('bad-data');
  });
});

describe('PIN', () => {
  test('a published PIN block arrives under the zone key with the same PIN', async () => {
    const published = vectors('dukpt-tdes', (inputs) => inputs.bdk === '0123456789ABCDEFFEDCBA9876543210');
    const { inputs, expected } = published[0] as Vector;
    const pan = inputs.pan ?? '';
    const store = openKeyStore(home);
    const zone = developmentKey('zonePinKey');
    store.add({
      id: 'b',
      usage: 'bdk-pin',
      algorithm: 'tdes2',
      scope: '',
      label: '',
      key: withOddParity(fromHex(inputs.bdk ?? '')),
    });
    store.add({ id: 'z', usage: 'zone-pin', algorithm: 'tdes2', scope: 'INTERNAL', label: '', key: zone });
    const translated = await new SoftwareSecurityModule(store).translatePin({
      ksn: fromHex(inputs.ksn ?? ''),
      pinBlock: fromHex(expected.encryptedPinBlock ?? ''),
      pan,
    });
    expect(translated.zoneKey).toBe('INTERNAL');
    const clear = tdesDecryptEcb(zone, translated.pinBlock);
    expect(decodePinBlock(0, clear, pan).toString()).toBe(inputs.pin);
  });

  test('is right or wrong by the value on the card', async () => {
    const { module } = development();
    const [, rest = ''] = track2Of(MASTERCARD, '2468').split('D');
    const card = { pan: MASTERCARD, pvki: rest.slice(7, 8), pvv: rest.slice(8, 12) };
    for (const [typed, right] of [
      ['2468', true],
      ['2469', false],
    ] as const) {
      const { ksn, data } = encipheredPin(MASTERCARD, typed);
      const pin = await module.translatePin({ ksn, pinBlock: data, pan: MASTERCARD });
      expect(await module.verifyPin({ pin, ...card })).toBe(right);
    }
  });

  test('a block of another PAN, another length or an unknown zone is refused', async () => {
    const { module } = development();
    const { ksn, data } = encipheredPin(MASTERCARD, '2468');
    expect(await code(module.translatePin({ ksn, pinBlock: data, pan: VISA }))).toBe('bad-data');
    expect(await code(module.translatePin({ ksn, pinBlock: data.subarray(1), pan: MASTERCARD }))).toBe(
      'bad-data',
    );
    const elsewhere = module.translatePin({ ksn, pinBlock: data, pan: MASTERCARD, zone: 'ELSEWHERE' });
    expect(await code(elsewhere)).toBe('unknown-key');
  });
});

describe('cryptograms', () => {
  const published = vectors('emv-cvn-scripts', (inputs) => inputs.cvn === 'mastercardCvn20');

  test.each(published)('$name: ARQC and ARPC', async ({ inputs, expected }) => {
    const module = withKey('imk-ac', '', inputs.imkAc ?? '');
    const tags = Object.entries(inputs.tags as unknown as Record<string, string>);
    const nodes: TlvNode[] = [
      ...tags.map(([tag, hex]) => tlv(tag, fromHex(hex))),
      tlv('9F10', fromHex(`0114${inputs.cvr}${'00'.repeat(10)}`)),
      tlv('9F27', fromHex('80')),
      tlv('9F26', fromHex(expected.arqc ?? '')),
    ];
    const arc = fromHex(inputs.arc ?? '').toString('latin1');
    const request = {
      pan: inputs.pan ?? '',
      panSequenceNumber: inputs.psn ?? '',
      iccData: encodeTlv(nodes),
      responseCode: /^[0-9A-Z]{2}$/.test(arc) ? arc : '00',
    };
    const verdict = await module.verifyArqcAndMakeArpc(request);
    expect(verdict.valid).toBe(true);
    const answer = findTlv(decodeTlv(verdict.iccDataResponse ?? Buffer.alloc(0)), '91');
    if (request.responseCode === arc) {
      expect(toHex(answer ?? Buffer.alloc(0))).toBe(`${expected.arpc}${inputs.arc}`);
    }
  });

  test('there is a published ARPC with a printable response code', () => {
    expect(published.some(({ inputs }) => inputs.arc === '3035')).toBe(true);
  });

  test.each(['00', '51'])('Visa: the card accepts the answer to %s', async (responseCode) => {
    const chip = { scheme: 'visa', pan: VISA } as const;
    const verdict = await development().module.verifyArqcAndMakeArpc({
      pan: VISA,
      panSequenceNumber: '01',
      iccData: exampleIccData(chip),
      responseCode,
    });
    const answer = findTlv(decodeTlv(verdict.iccDataResponse ?? Buffer.alloc(0)), '91') ?? Buffer.alloc(0);
    expect(answer).toHaveLength(8);
    const csu = answer.subarray(4);
    expect(toHex(csu)).toBe(responseCode === '00' ? '00800000' : '00000000');
    const nothing = Buffer.alloc(0);
    expect(
      verifyArpcMethod2(
        exampleSessionKey(VISA),
        exampleCryptogram(chip),
        csu,
        nothing,
        answer.subarray(0, 4),
      ),
    ).toBe(true);
  });

  test('Mastercard: the card accepts the answer', async () => {
    const chip = { scheme: 'mchip', pan: MASTERCARD } as const;
    const verdict = await development().module.verifyArqcAndMakeArpc({
      pan: MASTERCARD,
      panSequenceNumber: '01',
      iccData: exampleIccData(chip),
      responseCode: '05',
    });
    const answer = findTlv(decodeTlv(verdict.iccDataResponse ?? Buffer.alloc(0)), '91') ?? Buffer.alloc(0);
    expect(answer.subarray(8).toString()).toBe('05');
    const key = exampleSessionKey(MASTERCARD);
    expect(verifyArpcMethod1(key, exampleCryptogram(chip), Buffer.from('05'), answer.subarray(0, 8))).toBe(
      true,
    );
  });

  test.each([
    ['another amount', { changed: { '9F02': '000000001235' } }, {}],
    ['another card', {}, { panSequenceNumber: '02' }],
    ['no cryptogram', { without: ['9F26'] }, {}],
    ['an element cut', { changed: { '9F37': 'DEADBE' } }, {}],
    ['an unknown cryptogram version', { changed: { '9F10': '06011103A00000' } }, {}],
    ['an AAC', { type: 'AAC' }, {}],
    ['a TC where an ARQC must be', { type: 'TC' }, {}],
    ['an ARQC where a TC must be', {}, { expect: 'TC' }],
  ] as const)('%s is not valid, and nothing is answered', async (_name, chip, request) => {
    const verdict = await development().module.verifyArqcAndMakeArpc({
      pan: VISA,
      panSequenceNumber: '01',
      responseCode: '00',
      iccData: exampleIccData({ scheme: 'visa', pan: VISA, ...chip }),
      ...request,
    });
    expect(verdict).toEqual({ valid: false, reason: expect.any(String) });
  });

  test('a TC is checked and not answered', async () => {
    const iccData = exampleIccData({ scheme: 'visa', pan: VISA, type: 'TC' });
    const request = {
      pan: VISA,
      panSequenceNumber: '01',
      responseCode: '00',
      iccData,
      expect: 'TC',
    } as const;
    expect(await development().module.verifyArqcAndMakeArpc(request)).toEqual({ valid: true });
  });

  test('what is no BER-TLV is refused', async () => {
    const { module } = development();
    const request = { pan: VISA, panSequenceNumber: '01', responseCode: '00', iccData: fromHex('9F26FF') };
    expect(await code(module.verifyArqcAndMakeArpc(request))).toBe('bad-data');
    expect(await code(module.verifyArqcAndMakeArpc({ ...request, panSequenceNumber: '1' }))).toBe('bad-data');
  });
});
