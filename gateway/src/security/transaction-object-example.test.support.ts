import {
  deriveInitialKey,
  deriveTransactionKey,
  type TdesKeyUsage,
  workingKey,
} from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { iso9797Algorithm1 } from '@tillbridge/protocol/crypto/mac.js';
import { padZeros } from '@tillbridge/protocol/crypto/padding.js';
import { tdesEncryptCbc } from '@tillbridge/protocol/crypto/tdes.js';
import { developmentKey } from '@tillbridge/protocol/crypto/test-keys.js';
import { type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import {
  encodeClearData,
  type KeyedInCard,
  keyedInTrack2,
  pinObject,
  stripeObject,
  stripeTrack2Text,
} from '@tillbridge/protocol/terminals/magtek/account-data.js';
import {
  CARD_TYPES,
  ENCRYPTION_TYPES,
  encodeAuthenticated,
  encodeEnciphered,
  encodeTransactionObject,
  OBJECT_TAGS,
} from '@tillbridge/protocol/terminals/magtek/transaction-object.js';
import type { Enciphered } from '../payments/desk.js';
import { EXAMPLE_KSN, encipheredPin } from './card-example.test.support.js';

const BLOCK_BYTES = 8;
const ZERO_IV = Buffer.alloc(BLOCK_BYTES);

function dataKey(usage: TdesKeyUsage): Buffer {
  return workingKey(
    deriveTransactionKey(deriveInitialKey(developmentKey('bdkData'), EXAMPLE_KSN), EXAMPLE_KSN),
    usage,
  );
}

function encipher(clear: Uint8Array): Buffer {
  return tdesEncryptCbc(dataKey('dataRequest'), ZERO_IV, padZeros(clear, BLOCK_BYTES));
}

/** What an ARQC object of the examples holds. */
export interface TransactionObjectExample {
  /** Objects of the enciphered part. */
  readonly hidden: readonly TlvNode[];
  /** Objects beside it. */
  readonly clear?: readonly TlvNode[];
  /** Makes the MAC, as the device would when absent. */
  readonly mac?: (authenticated: Uint8Array) => Uint8Array;
  /** Says another number of filling bytes. */
  readonly paddingBytes?: number;
}

/** An ARQC object of a MagTek device of the development key set. */
export function exampleTransactionObject({
  hidden,
  clear = [],
  mac = (bytes) => iso9797Algorithm1(dataKey('macRequest'), bytes, 'iso9797Method1'),
  paddingBytes,
}: TransactionObjectExample): Enciphered {
  const bare = encodeClearData(hidden);
  const data = encipher(bare);
  const authenticated = encodeAuthenticated({
    macKsn: EXAMPLE_KSN,
    macType: ENCRYPTION_TYPES.tdesMac,
    serial: Buffer.from('B613783'),
    generic: [
      tlv(OBJECT_TAGS.request, [
        ...clear,
        encodeEnciphered({
          data,
          ksn: EXAMPLE_KSN,
          encryptionType: ENCRYPTION_TYPES.tdesData,
          paddingBytes: paddingBytes ?? data.length - bare.length,
        }),
      ]),
    ],
  });
  return { ksn: EXAMPLE_KSN, data: encodeTransactionObject(authenticated, mac(authenticated)) };
}

/** The account of a chip. @param track2 digits with `D` as separator */
export function chipAccountObjects(track2: string): TlvNode[] {
  const filled = track2.length % 2 === 0 ? track2 : `${track2}F`;
  return [tlv('5A', Buffer.from(track2.split('D')[0] ?? '', 'hex')), tlv('57', Buffer.from(filled, 'hex'))];
}

/** F5 with a PIN block of format 0. */
export function pinInside(pan: string, pin: string): TlvNode {
  const { ksn, data } = encipheredPin(pan, pin);
  return pinObject({ ksn, block: data, format: 0 }, ENCRYPTION_TYPES.tdesPin);
}

/** F4 of a swiped stripe. @param track2 digits with `D` as separator */
export function stripeInside(track2: string): TlvNode {
  return trackInside(track2.replace('D', '='));
}

/** A card that was keyed in: the track that the device makes of it, and its word that there was no card. */
export function keyedInExample(card: KeyedInCard): TransactionObjectExample {
  return {
    hidden: [trackInside(keyedInTrack2(card))],
    clear: [tlv(OBJECT_TAGS.cardType, Buffer.of(CARD_TYPES.manual))],
  };
}

function trackInside(track2: string): TlvNode {
  const data = encipher(stripeTrack2Text(track2));
  return stripeObject({ ksn: EXAMPLE_KSN, data }, ENCRYPTION_TYPES.tdesData);
}
