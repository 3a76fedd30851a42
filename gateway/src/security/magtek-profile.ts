import { CryptoError } from '@tillbridge/protocol/crypto/errors.js';
import { findTlv } from '@tillbridge/protocol/emv/tlv.js';
import {
  readClearData,
  readKeyedInTrack2,
  readStripeTrack2,
} from '@tillbridge/protocol/terminals/magtek/account-data.js';
import {
  CARD_TYPES,
  decodeTransactionObject,
  encipheredPart,
  OBJECT_TAGS,
} from '@tillbridge/protocol/terminals/magtek/transaction-object.js';
import type { DataEnvelope, DecipherPart, DeviceAccountData, DevicePinBlock } from './device-data.js';

/** Takes DFDF59 out of an ARQC or batch data object. @throws MmsFormatError */
export function openTransactionObject(data: Uint8Array): DataEnvelope {
  const object = decodeTransactionObject(data);
  const { data: cipher, ksn, paddingBytes } = encipheredPart(object);
  const { macKsn, authenticated, mac } = object;
  return {
    data: cipher,
    ksn,
    paddingBytes,
    keyedIn: findTlv(object.nodes, OBJECT_TAGS.cardType)?.[0] === CARD_TYPES.manual,
    authentication: { ksn: macKsn, message: authenticated, mac },
  };
}

/** PIN block formats of the device that a TDES PIN key enciphers; format 4 belongs to AES. */
const PIN_FORMATS: readonly number[] = [0, 3];

/**
 * The account in the clear data of an object; the track of a stripe, or of a card that was keyed in, is deciphered once more.
 * @throws MmsFormatError, CryptoError malformed; whatever deciphering the track throws
 */
export function readTransactionAccount(
  clear: Uint8Array,
  decipher: DecipherPart,
  keyedIn: boolean,
): DeviceAccountData {
  const { pan, track2, expiry, holder, stripeTrack2, pin } = readClearData(clear);
  const account = stripeTrack2
    ? trackAccount(decipher(stripeTrack2), keyedIn)
    : { pan, ...(track2 !== undefined && { track2 }), ...(expiry !== undefined && { expiry }) };
  if (account.pan === undefined) throw new CryptoError('malformed', 'neither 5A nor 57 nor a stripe');
  return {
    ...account,
    pan: account.pan,
    ...(holder !== undefined && { holder }),
    ...(pin && { pin: pinBlock(pin.format, pin.ksn, pin.block) }),
  };
}

/** The track that the device makes of a card that was keyed in is none of the card's. */
function trackAccount(track2: Uint8Array, keyedIn: boolean): Omit<DeviceAccountData, 'pin'> {
  if (!keyedIn) return readStripeTrack2(track2);
  const { pan, expiry, code } = readKeyedInTrack2(track2);
  return { pan, expiry, ...(code !== undefined && { cvv: code }) };
}

/** A copy: the clear data around it are wiped. */
function pinBlock(format: number, ksn: Uint8Array, block: Uint8Array): DevicePinBlock {
  if (!PIN_FORMATS.includes(format)) throw new CryptoError('malformed', 'the PIN block format is not 0 or 3');
  return { ksn: Buffer.from(ksn), pinBlock: Buffer.from(block), format: format === 3 ? 3 : 0 };
}
