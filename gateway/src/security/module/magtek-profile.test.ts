import { rmSync } from 'node:fs';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDevelopmentKeyStore, temporaryHome } from '../test-keys.test.support.js';
import { EXAMPLE_KSN, magstripeWithoutPin, track2Of } from './card-example.test.support.js';
import type { AccountData } from './security-module.js';
import { SoftwareSecurityModule } from './software-security-module.js';
import {
  AES_KEYS,
  chipAccountObjects,
  exampleTransactionObject,
  keyedInExample,
  magstripeInside,
  pinInside,
  TDES_KEYS,
  type TransactionObjectExample,
} from './transaction-object-example.test.support.js';

const PAN = '4200000000000000';
const TRACK2 = track2Of(PAN, '1234');
const PIN_VALUES = /D\d{7}(\d)(\d{4})/;

let home: string;
let security: SoftwareSecurityModule;
beforeAll(() => {
  home = temporaryHome();
  security = new SoftwareSecurityModule(openDevelopmentKeyStore(home), systemRandom);
});
afterAll(() => rmSync(home, { recursive: true }));

function read(example: TransactionObjectExample): Promise<AccountData> {
  return security.decryptAccountData({
    profile: 'MAGTEK_DYNAFLEX',
    ...exampleTransactionObject(example),
  });
}

describe.each([
  ['TDES', TDES_KEYS],
  ['AES', AES_KEYS],
])('the account in a transaction object under %s DUKPT', (_, keys) => {
  test('of a chip, without its filling', async () => {
    const hidden = [...chipAccountObjects(TRACK2), tlv('5F20', Buffer.from('DOE/JANE'))];
    expect(await read({ keys, hidden })).toEqual({
      pan: PAN,
      expiryYear: '2031',
      expiryMonth: '12',
      track2: TRACK2,
      holder: 'DOE/JANE',
    });
  });

  test('of a magstripe, whose track is enciphered once more', async () => {
    const track2 = magstripeWithoutPin(PAN);
    expect(await read({ keys, hidden: [magstripeInside(track2, keys)] })).toMatchObject({
      pan: PAN,
      track2,
      expiryMonth: '12',
    });
  });

  test('of a card that was keyed in: no track, and the code printed on it', async () => {
    const keyed = { pan: PAN, expiry: '3112' };
    const account = { pan: PAN, expiryYear: '2031', expiryMonth: '12' };
    expect(await read(keyedInExample({ ...keyed, code: '123' }, keys))).toEqual({ ...account, cvv: '123' });
    expect(await read(keyedInExample(keyed, keys))).toEqual(account);
    // Of a magstripe the same digits are the issuer's own.
    const { hidden } = keyedInExample({ ...keyed, code: '123' }, keys);
    expect(await read({ keys, hidden })).toEqual({ ...account, track2: `${PAN}D3112000000123000` });
  });

  test('with the PIN block inside, which only the issuer knows', async () => {
    const account = await read({
      keys,
      hidden: [...chipAccountObjects(TRACK2), pinInside(PAN, '1234', keys)],
    });
    if (!account.pin) throw new Error('no PIN block');
    expect(account.pin?.ksn).toEqual(keys.pin(PAN, '1234').ksn);
    const pin = await security.translatePin({ ...account.pin, pan: PAN });
    const [, pvki = '', pvv = ''] = PIN_VALUES.exec(TRACK2) ?? [];
    expect(await security.verifyPin({ pin, pan: PAN, pvki, pvv })).toBe(true);
    const other = await read({ keys, hidden: [...chipAccountObjects(TRACK2), pinInside(PAN, '4321', keys)] });
    const wrong = await security.translatePin({
      ksn: EXAMPLE_KSN,
      pinBlock: Buffer.alloc(8),
      ...other.pin,
      pan: PAN,
    });
    expect(await security.verifyPin({ pin: wrong, pan: PAN, pvki, pvv })).toBe(false);
  });
});

const pinOfFormat0 = (pan: string, pin: string) => ({ ...AES_KEYS.pin(pan, pin), format: 0 });

describe('an object is refused', () => {
  const hidden = chipAccountObjects(TRACK2);
  const flipped = (bytes: Uint8Array): Buffer => {
    const bent = Buffer.from(bytes);
    bent[0] = (bent[0] ?? 0) ^ 0x01;
    return bent;
  };

  test.each<[string, TransactionObjectExample, string]>([
    ['without a MAC of the device', { hidden, mac: () => Buffer.alloc(8) }, 'MAC'],
    ['whose padding is all there is', { hidden, paddingBytes: 255 }, 'padding'],
    ['whose padding cuts into its data', { hidden, paddingBytes: 7 }, 'TLV'],
    ['without an account', { hidden: [tlv('5F24', fromHex('311231'))] }, '5A'],
    [
      'with a PIN block of a format that TDES has not',
      {
        hidden: [
          ...hidden,
          tlv('F5', [tlv('DF71', Buffer.of(4)), tlv('99', Buffer.alloc(16)), tlv('DFDF41', EXAMPLE_KSN)]),
        ],
      },
      'format',
    ],
    [
      'of a card that was keyed in, with a magstripe inside',
      {
        ...keyedInExample({ pan: PAN, expiry: '3112' }),
        hidden: [magstripeInside(magstripeWithoutPin(PAN))],
      },
      'keyed in',
    ],
    [
      'whose AES key is for something else',
      { hidden, keys: { ...AES_KEYS, types: { ...AES_KEYS.types, data: AES_KEYS.types.pin } } },
      'for something else',
    ],
    [
      'whose AES key is for nothing that is known',
      { hidden, keys: { ...AES_KEYS, types: { ...AES_KEYS.types, mac: 0x9e } } },
      'not listed',
    ],
    [
      'with a MAC of another AES key',
      { hidden, keys: { ...AES_KEYS, types: { ...AES_KEYS.types, mac: 0x9a } } },
      'MAC',
    ],
    [
      'with a PIN block of a format that AES has not',
      { keys: AES_KEYS, hidden: [...hidden, pinInside(PAN, '1234', { ...AES_KEYS, pin: pinOfFormat0 })] },
      'format',
    ],
    ['that is longer than a field', { hidden, clear: [tlv('9F7C', Buffer.alloc(1_000))] }, '1024'],
  ])('%s', async (_, example, why) => {
    const refused = read(example);
    await expect(refused).rejects.toMatchObject({ code: 'bad-data', message: expect.stringContaining(why) });
    await expect(refused).rejects.not.toThrow(PAN);
  });

  test.each([
    ['bent at its end', (data: Uint8Array) => Buffer.concat([data.subarray(0, -1), Buffer.of(0xfe)]), 'MAC'],
    ['bent in its length', flipped, 'transaction object'],
    ['that is something else', () => encodeTlv(chipAccountObjects(TRACK2)), 'transaction object'],
    ['that is empty', () => Buffer.alloc(0), 'too short'],
  ])('%s', async (_, bend, why) => {
    const { ksn, data } = exampleTransactionObject({ hidden });
    await expect(
      security.decryptAccountData({ profile: 'MAGTEK_DYNAFLEX', ksn, data: bend(data) }),
    ).rejects.toMatchObject({ code: 'bad-data', message: expect.stringContaining(why) });
  });

  test('with another KSN than its own', async () => {
    const { data } = exampleTransactionObject({ hidden });
    const ksn = fromHex('FFFF9876543210E00002');
    await expect(
      security.decryptAccountData({ profile: 'MAGTEK_DYNAFLEX', ksn, data }),
    ).rejects.toMatchObject({ code: 'bad-data', message: expect.stringContaining('KSN') });
  });
});
