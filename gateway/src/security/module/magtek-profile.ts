import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import type { AesKeyUsage } from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { findTlv } from '@tillbridge/wire/emv/tlv.js';
import { present } from '@tillbridge/wire/present.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import {
  type EncipheredTrack,
  readClearData,
  readKeyedInTrack2,
  readMagstripeTrack2,
} from '@tillbridge/wire/terminals/magtek/account-data.js';
import { aesUsageOf } from '@tillbridge/wire/terminals/magtek/encryption-type.js';
import {
  CARD_TYPES,
  decodeTransactionObject,
  encipheredPart,
  OBJECT_TAGS,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import type {
  DataEnvelope,
  DecipherPart,
  DeviceAccountData,
  DevicePinBlock,
  EncipheredPart,
} from './device-data.js';
import { isAesKsn } from './dukpt-keys.js';

/** Uses of AES keys that the maker's rules of key mapping allow for account data and for MACs. */
const DATA_USAGES: ReadonlySet<AesKeyUsage> = new Set(['dataEncrypt', 'dataBothWays']);
const MAC_USAGES: ReadonlySet<AesKeyUsage> = new Set(['macGeneration', 'macBothWays']);

/** The purpose of an AES key, by the device's data; undefined for a TDES key. @throws TerminalFormatError */
function usageAmong(allowed: ReadonlySet<AesKeyUsage>, type: number): AesKeyUsage | undefined {
  const usage = aesUsageOf(type);
  if (usage !== undefined && !allowed.has(usage))
    throw new TerminalFormatError('encryption type', 'is of a key for something else');
  return usage;
}

/** Takes DFDF59 out of an ARQC or batch data object. @throws TerminalFormatError */
export function openTransactionObject(data: Uint8Array): DataEnvelope {
  const object = decodeTransactionObject(data);
  const { data: cipher, ksn, encryptionType, paddingBytes } = encipheredPart(object);
  const { macKsn, macType, authenticated, mac } = object;
  const aesUsage = usageAmong(DATA_USAGES, encryptionType);
  const macUsage = usageAmong(MAC_USAGES, macType);
  return {
    data: cipher,
    ksn,
    ...present({ aesUsage }),
    paddingBytes,
    keyedIn: findTlv(object.nodes, OBJECT_TAGS.cardType)?.[0] === CARD_TYPES.manual,
    authentication: { ksn: macKsn, message: authenticated, mac, ...present({ aesUsage: macUsage }) },
  };
}

/** PIN block formats of the device that a TDES PIN key enciphers, and the one of AES. */
const TDES_PIN_FORMATS: readonly number[] = [0, 3];
const AES_PIN_FORMAT = 4;

/**
 * The account in the clear data of an object; the track of a magstripe, or of a card that was keyed in, is deciphered once more.
 * @throws TerminalFormatError, CryptoError malformed; whatever deciphering the track throws
 */
export function readTransactionAccount(
  clear: Uint8Array,
  decipher: DecipherPart,
  keyedIn: boolean,
): DeviceAccountData {
  const { pan, track2, expiry, holder, magstripeTrack2, pin } = readClearData(clear);
  const account = magstripeTrack2
    ? trackAccount(decipher(enciphered(magstripeTrack2)), keyedIn)
    : { pan, ...present({ track2, expiry }) };
  if (account.pan === undefined) throw new CryptoError('malformed', 'neither 5A nor 57 nor a magstripe');
  return {
    ...account,
    pan: account.pan,
    ...present({ holder, pin: pin && pinBlock(pin.format, pin.ksn, pin.block) }),
  };
}

/** The track that the device makes of a card that was keyed in is none of the card's. */
function trackAccount(track2: Uint8Array, keyedIn: boolean): Omit<DeviceAccountData, 'pin'> {
  if (!keyedIn) return readMagstripeTrack2(track2);
  const { pan, expiry, code } = readKeyedInTrack2(track2);
  return { pan, expiry, ...present({ cvv: code }) };
}

function enciphered({ ksn, data, type }: EncipheredTrack): EncipheredPart {
  const aesUsage = type === undefined ? undefined : usageAmong(DATA_USAGES, type);
  return { ksn, data, ...present({ aesUsage }) };
}

/** A copy: the clear data around it are wiped. */
function pinBlock(format: number, ksn: Uint8Array, block: Uint8Array): DevicePinBlock {
  const copy = { ksn: Buffer.from(ksn), pinBlock: Buffer.from(block) };
  if (isAesKsn(ksn)) {
    if (format !== AES_PIN_FORMAT) throw new CryptoError('malformed', 'the PIN block format is not 4');
    return copy;
  }
  if (!TDES_PIN_FORMATS.includes(format))
    throw new CryptoError('malformed', 'the PIN block format is not 0 or 3');
  return { ...copy, format: format === 3 ? 3 : 0 };
}
