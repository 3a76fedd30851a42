import { rmSync } from 'node:fs';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { padBit } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { tdesEncryptCbc } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { developmentKeySet } from '@tillbridge/wire/terminals/development-key-sets.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDevelopmentKeyStore, temporaryHome } from '../test-keys.test.support.js';
import { SoftwareSecurityModule } from './software-security-module.js';

const profile = 'MIURA_M020';
const KSN = fromHex(`${developmentKeySet(profile)}543210E00001`);

function enciphered(nodes: readonly TlvNode[]): { readonly ksn: Uint8Array; readonly data: Uint8Array } {
  const transactionKey = deriveTransactionKey(deriveInitialKey(developmentKey('bdkData'), KSN), KSN);
  const key = workingKey(transactionKey, 'dataRequest');
  return { ksn: KSN, data: tdesEncryptCbc(key, Buffer.alloc(8), padBit(encodeTlv(nodes), 8)) };
}

let home: string;
let module: SoftwareSecurityModule;
beforeEach(() => {
  home = temporaryHome();
  module = new SoftwareSecurityModule(openDevelopmentKeyStore(home));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('account data of a Miura', () => {
  const card = { pan: '4200000000000075', expiryYear: '2031', expiryMonth: '12' };

  test.each([
    [
      'a swipe: both tracks as text',
      [
        tlv('5F21', Buffer.from('%B4200000000000075^TILL/TESSA^31121010000000000?')),
        tlv('5F22', Buffer.from(';4200000000000075=31121011234567?8')),
      ],
      { ...card, track2: '4200000000000075D31121011234567' },
    ],
    [
      'a chip: number and expiry',
      [tlv('5A', fromHex('4200000000000075')), tlv('5F24', fromHex('311231'))],
      card,
    ],
  ] as const)('%s', async (_, nodes, account) => {
    expect(await module.decryptAccountData({ profile, ...enciphered(nodes) })).toEqual(account);
  });
});
