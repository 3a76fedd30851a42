import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { unpadBit } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { present } from '@tillbridge/wire/present.js';
import { decodeAccountData } from '@tillbridge/wire/terminals/abecs/account-data.js';
import { decodeAccountData as decodeIdtechAccount } from '@tillbridge/wire/terminals/idtech/account-data.js';
import { decodeTrack2, TRACK_2_TAG } from '@tillbridge/wire/terminals/miura/account-data.js';
import { decodeAccountData as decodeNewlandAccount } from '@tillbridge/wire/terminals/newland/account-data.js';
import { decodeAccountData as decodeSdiAccount } from '@tillbridge/wire/terminals/verifone/account-data.js';
import type { DeviceProfileName } from '../../kernel/store/tables/devices.js';
import type { DataEnvelope, DecipherPart, DeviceAccountData } from './device-data.js';
import type { AesWorkingKey, TdesWorkingKey } from './dukpt-keys.js';
import { openTransactionObject, readTransactionAccount } from './magtek-profile.js';

/** How a device enciphers account data under a TDES DUKPT key (KSN of 10 bytes). */
interface TdesDataCipher {
  /** With the one-way step of X9.24-1 A.4.1, or the plain variant that some readers encipher under. */
  readonly workingKey: Exclude<TdesWorkingKey, 'pin' | 'macRequest'>;
  readonly mode: 'cbc' | 'ecb';
  /** First chaining value, hex; for `cbc`. */
  readonly ivHex: string;
}

/** How a device enciphers account data under an AES DUKPT key (KSN of 12 bytes): CBC. */
interface AesDataCipher {
  readonly workingKey: AesWorkingKey;
  /** First chaining value, hex. */
  readonly ivHex: string;
}

/** How the devices of one type encipher account data: the standard leaves it to them (crypto facts §2). */
export interface DeviceProfile {
  readonly tdes?: TdesDataCipher;
  readonly aes?: AesDataCipher;
  /** Takes the cipher text out of what the device wraps around it; absent: what came is the cipher text. @throws codec errors */
  readonly open?: (data: Uint8Array) => DataEnvelope;
  /**
   * Reads the clear bytes.
   * @param keyedIn of the envelope
   * @throws any of the codecs' errors when it is no account data, as after a wrong key
   */
  readonly read: (clear: Uint8Array, decipher: DecipherPart, keyedIn: boolean) => DeviceAccountData;
}

const ZERO_IV = '0000000000000000';
const ZERO_AES_IV = ZERO_IV + ZERO_IV;
const STANDARD_TDES: TdesDataCipher = { workingKey: 'dataRequest', mode: 'cbc', ivHex: ZERO_IV };
const STANDARD_AES: AesDataCipher = {
  workingKey: { usage: 'dataEncrypt', type: 'likeBaseKey' },
  ivHex: ZERO_AES_IV,
};

/** The profiles by `pos.deviceType`. */
const PROFILES: Readonly<Record<DeviceProfileName, DeviceProfile>> = {
  // ABECS GTK method 51: one field, track 2 or else the PAN; TDES alone.
  GERTEC_PPC930: { tdes: STANDARD_TDES, read: decodeAccountData },
  // Tag 57 or else 5A with tag and length, or a magstripe's track 2 between its sentinels, filled with zero bytes. Which working key of
  // AES DUKPT it takes was not read: the standard's for data.
  IDTECH_VP6800: { tdes: STANDARD_TDES, aes: STANDARD_AES, read: decodeIdtechAccount },
  // The whole ARQC or batch data object with its MAC; PIN block and track of a magstripe lie inside, under keys of their own.
  MAGTEK_DYNAFLEX: {
    tdes: STANDARD_TDES,
    aes: STANDARD_AES,
    open: openTransactionObject,
    read: readTransactionAccount,
  },
  // DFAE02: what it holds is not published; tags 5A, 57 and 5F24 as BER-TLV, or the text of a magstripe's track in 5F22, padded by
  // method 2.
  MIURA_M020: { tdes: STANDARD_TDES, read: readMiuraAccount },
  // One field, track 2 or else the card number, filled with zero bytes; how a data key works is not published.
  NEWLAND_P180: { tdes: STANDARD_TDES, read: decodeNewlandAccount },
  // DFA125 (ADE): tags 5A, 57 and 5F24 as BER-TLV, padded by PKCS7. Which variant of the key it takes is not published.
  VERIFONE_P400: { tdes: STANDARD_TDES, read: decodeSdiAccount },
  // Tags 57, 5A and 5F24 as BER-TLV, padded by method 2.
  default: { tdes: STANDARD_TDES, aes: STANDARD_AES, read: readTlvContainer },
};

/** The profiles by name. */
export const DEVICE_PROFILES: ReadonlyMap<string, DeviceProfile> = new Map(Object.entries(PROFILES));

function readMiuraAccount(clear: Uint8Array): DeviceAccountData {
  const track = findTlv(decodeTlv(unpadBit(clear), { padding: 'strict' }), TRACK_2_TAG);
  return track ? decodeTrack2(track) : readTlvContainer(clear);
}

function readTlvContainer(clear: Uint8Array): DeviceAccountData {
  const nodes = decodeTlv(unpadBit(clear), { padding: 'strict' });
  const [track2, pan, expiry, holder] = ['57', '5A', '5F24', '5F20'].map((tag) => findTlv(nodes, tag));
  const track2Text = track2 && compressed(track2);
  const panText = pan ? compressed(pan) : track2Text?.split('D')[0];
  if (panText === undefined) throw new CryptoError('malformed', 'neither tag 5A nor tag 57');
  return {
    pan: panText,
    ...present({
      track2: track2Text,
      expiry: expiry
        ? compressed(expiry).slice(0, 4)
        : track2Text && (track2Text.split('D')[1] ?? '').slice(0, 4),
      holder: holder && Buffer.from(holder).toString('latin1').trim(),
    }),
  };
}

/** Compressed numeric digits, fill removed (EMV Book 3 §4.3). */
function compressed(value: Uint8Array): string {
  return Buffer.from(value).toString('hex').toUpperCase().replace(/F+$/, '');
}
