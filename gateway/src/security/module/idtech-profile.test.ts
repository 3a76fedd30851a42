import { rmSync } from 'node:fs';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { aesEncryptCbc } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { tdesEncryptCbc } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  aesWorkingKey,
  deriveAesInitialKey,
  deriveAesTransactionKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import {
  DEVELOPMENT_AES_KEY_SETS,
  developmentKeySet,
} from '@tillbridge/wire/terminals/development-key-sets.js';
import { padZero } from '@tillbridge/wire/terminals/idtech/account-data.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDevelopmentKeyStore, temporaryHome } from '../test-keys.test.support.js';
import { SecurityModuleError } from './security-module.js';
import { SoftwareSecurityModule } from './software-security-module.js';

const profile = 'IDTECH_VP6800';
const PAN = '4200000000000000';
const TRACK_2 = `${PAN}D3112201123456789`;
const TDES_KSN = fromHex(`${developmentKeySet(profile)}543210E00001`);
const AES_KSN = fromHex(`${DEVELOPMENT_AES_KEY_SETS.get(profile)}543210E000000001`);

interface Enciphered {
  readonly ksn: Uint8Array;
  readonly data: Uint8Array;
}

function underTdes(clear: Uint8Array): Enciphered {
  const transactionKey = deriveTransactionKey(
    deriveInitialKey(developmentKey('bdkData'), TDES_KSN),
    TDES_KSN,
  );
  const key = workingKey(transactionKey, 'dataRequest');
  return { ksn: TDES_KSN, data: tdesEncryptCbc(key, Buffer.alloc(8), padZero(clear, 8)) };
}

function underAes(clear: Uint8Array): Enciphered {
  const initialKey = deriveAesInitialKey(developmentKey('bdkDataAes'), AES_KSN);
  const key = aesWorkingKey(deriveAesTransactionKey(initialKey, AES_KSN), AES_KSN, 'dataEncrypt', 'aes128');
  return { ksn: AES_KSN, data: aesEncryptCbc(key, Buffer.alloc(16), padZero(clear, 16)) };
}

let home: string;
let module: SoftwareSecurityModule;
beforeEach(() => {
  home = temporaryHome();
  module = new SoftwareSecurityModule(openDevelopmentKeyStore(home));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.each([
  ['TDES', underTdes],
  ['AES', underAes],
] as const)('account data of an ID TECH reader under %s DUKPT', (_, encipher) => {
  const card = { pan: PAN, expiryYear: '2031', expiryMonth: '12' };

  test.each([
    ['a chip, tag 57', fromHex(`5711${TRACK_2}F`), { ...card, track2: TRACK_2 }],
    ['a magstripe', Buffer.from(`;${TRACK_2.replace('D', '=')}?8`), { ...card, track2: TRACK_2 }],
    ['a card number that was keyed in', Buffer.from(`;${PAN}=3112?4`), card],
  ])('are opened: %s', async (_, clear, account) => {
    expect(await module.decryptAccountData({ profile, ...encipher(clear) })).toEqual(account);
  });

  test('of a chip that names its number alone take the expiry from outside', async () => {
    const enciphered = encipher(fromHex(`5A08${PAN}`));
    expect(await module.decryptAccountData({ profile, ...enciphered, expiry: '3112' })).toEqual(card);
  });

  test('under the key of another transaction are refused', async () => {
    const { ksn, data } = encipher(fromHex(`5711${TRACK_2}F`));
    const other = Buffer.from(ksn);
    other[other.length - 1] = 2;
    const refused = module.decryptAccountData({ profile, ksn: other, data });
    await expect(refused).rejects.toThrow(SecurityModuleError);
    await expect(refused).rejects.toMatchObject({ code: 'bad-data' });
  });
});
