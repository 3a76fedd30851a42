import { fromHex } from '@tillbridge/wire/bytes.js';
import { aesEncryptCbc } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { aesCmac, iso9797Algorithm1 } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { padZeros } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { tdesEncryptCbc } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  type AesKeyUsage,
  aesWorkingKey,
  deriveAesInitialKey,
  deriveAesTransactionKey,
  INITIAL_KEY_ID_BYTES,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  type TdesKeyUsage,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { type DevelopmentKeyName, developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { encipherPinBlock4 } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import {
  DEVELOPMENT_AES_KEY_SETS,
  DEVELOPMENT_AES_PIN_KEY_SET,
} from '@tillbridge/wire/terminals/development-key-sets.js';
import {
  type EncipheredPinBlock,
  encodeClearData,
  type KeyedInCard,
  keyedInTrack2,
  magstripeObject,
  magstripeTrack2Text,
  pinObject,
} from '@tillbridge/wire/terminals/magtek/account-data.js';
import { ENCRYPTION_TYPES } from '@tillbridge/wire/terminals/magtek/encryption-type.js';
import {
  CARD_TYPES,
  encodeAuthenticated,
  encodeEnciphered,
  encodeTransactionObject,
  OBJECT_TAGS,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import type { Enciphered } from '../../core/payments/rules/requests.js';
import { EXAMPLE_KSN, encipheredPin } from './card-example.test.support.js';

/** The keys of a device of the development key sets. */
interface ExampleKeys {
  readonly ksn: Uint8Array;
  readonly types: { readonly data: number; readonly pin: number; readonly mac: number };
  readonly encipher: (clear: Uint8Array) => Buffer;
  readonly mac: (message: Uint8Array) => Buffer;
  readonly pin: (pan: string, pin: string) => EncipheredPinBlock;
}

function tdesKey(ksn: Uint8Array, usage: TdesKeyUsage): Buffer {
  const initial = deriveInitialKey(developmentKey('bdkData'), ksn);
  return workingKey(deriveTransactionKey(initial, ksn), usage);
}

/** TDES DUKPT; account data, MAC and PIN of one transaction. */
export function tdesKeys(ksn: Uint8Array): ExampleKeys {
  return {
    ksn,
    types: { data: ENCRYPTION_TYPES.tdesData, pin: ENCRYPTION_TYPES.tdesPin, mac: ENCRYPTION_TYPES.tdesMac },
    encipher: (clear) => tdesEncryptCbc(tdesKey(ksn, 'dataRequest'), Buffer.alloc(8), padZeros(clear, 8)),
    mac: (message) => iso9797Algorithm1(tdesKey(ksn, 'macRequest'), message, 'iso9797Method1'),
    pin: (pan, pin) => ({ ksn, block: encipheredPin(pan, pin, ksn).data, format: 0 }),
  };
}

/** TDES DUKPT of the first transaction. */
export const TDES_KEYS: ExampleKeys = tdesKeys(EXAMPLE_KSN);

const AES_KSN = fromHex(`${DEVELOPMENT_AES_KEY_SETS.get('MAGTEK_DYNAFLEX')}543210E000000001`);
const AES_PIN_KSN = fromHex(`${DEVELOPMENT_AES_PIN_KEY_SET}543210E000000001`);

function aesKey(name: DevelopmentKeyName, ksn: Uint8Array, usage: AesKeyUsage): Buffer {
  const initial = deriveAesInitialKey(developmentKey(name), ksn.subarray(0, INITIAL_KEY_ID_BYTES));
  return aesWorkingKey(deriveAesTransactionKey(initial, ksn), ksn, usage, 'aes128');
}

/** AES DUKPT. */
export const AES_KEYS: ExampleKeys = {
  ksn: AES_KSN,
  types: {
    data: ENCRYPTION_TYPES.aes128Data,
    pin: ENCRYPTION_TYPES.aes128Pin,
    mac: ENCRYPTION_TYPES.aes128Mac,
  },
  encipher: (clear) =>
    aesEncryptCbc(aesKey('bdkDataAes', AES_KSN, 'dataEncrypt'), Buffer.alloc(16), padZeros(clear, 16)),
  mac: (message) => aesCmac(aesKey('bdkDataAes', AES_KSN, 'macGeneration'), message),
  pin: (pan, pin) => ({
    ksn: AES_PIN_KSN,
    block: encipherPinBlock4(aesKey('bdkPinAes', AES_PIN_KSN, 'pin'), pin, pan, Buffer.alloc(8, 0x5c)),
    format: 4,
  }),
};

/** What an ARQC object of the examples holds. */
export interface TransactionObjectExample {
  /** TDES when absent. */
  readonly keys?: ExampleKeys;
  /** Objects of the enciphered part. */
  readonly hidden: readonly TlvNode[];
  /** Further objects next to it. */
  readonly clear?: readonly TlvNode[];
  /** Makes the MAC, as the device would when absent. */
  readonly mac?: (authenticated: Uint8Array) => Uint8Array;
  /** Names another number of filling bytes. */
  readonly paddingBytes?: number;
}

/** An ARQC object of a MagTek device of the development key sets. */
export function exampleTransactionObject({
  keys = TDES_KEYS,
  hidden,
  clear = [],
  mac = keys.mac,
  paddingBytes,
}: TransactionObjectExample): Enciphered {
  const { ksn, types } = keys;
  const bare = encodeClearData(hidden);
  const data = keys.encipher(bare);
  const authenticated = encodeAuthenticated({
    macKsn: ksn,
    macType: types.mac,
    serial: Buffer.from('B613783'),
    generic: [
      tlv(OBJECT_TAGS.request, [
        ...clear,
        encodeEnciphered({
          data,
          ksn,
          encryptionType: types.data,
          paddingBytes: paddingBytes ?? data.length - bare.length,
        }),
      ]),
    ],
  });
  return { ksn, data: encodeTransactionObject(authenticated, mac(authenticated)) };
}

/** The account of a chip. @param track2 digits with `D` as separator */
export function chipAccountObjects(track2: string): TlvNode[] {
  const filled = track2.length % 2 === 0 ? track2 : `${track2}F`;
  return [tlv('5A', Buffer.from(track2.split('D')[0] ?? '', 'hex')), tlv('57', Buffer.from(filled, 'hex'))];
}

/** F5 with a PIN block. */
export function pinInside(pan: string, pin: string, { pin: encipher, types } = TDES_KEYS): TlvNode {
  return pinObject(encipher(pan, pin), types.pin);
}

/** F4 of a swiped magstripe. @param track2 digits with `D` as separator */
export function magstripeInside(track2: string, keys = TDES_KEYS): TlvNode {
  return trackInside(track2.replace('D', '='), keys);
}

/** A card that was keyed in: the track that the device makes of it, and its word that there was no card. */
export function keyedInExample(card: KeyedInCard, keys = TDES_KEYS): TransactionObjectExample {
  return {
    keys,
    hidden: [trackInside(keyedInTrack2(card), keys)],
    clear: [tlv(OBJECT_TAGS.cardType, Buffer.of(CARD_TYPES.manual))],
  };
}

function trackInside(track2: string, { ksn, encipher, types }: ExampleKeys): TlvNode {
  return magstripeObject({ ksn, data: encipher(magstripeTrack2Text(track2)), type: types.data });
}
