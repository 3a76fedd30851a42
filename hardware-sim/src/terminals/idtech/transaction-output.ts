import { toHex } from '@tillbridge/wire/bytes.js';
import { ACCOUNT_TAG_NAMES } from '@tillbridge/wire/emv/account-tags.js';
import { compressedNumeric } from '@tillbridge/wire/emv/compressed-numeric.js';
import { CRYPTOGRAM_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { padZero } from '@tillbridge/wire/terminals/idtech/account-data.js';
import type { Attribution, CapturedFrom } from '@tillbridge/wire/terminals/idtech/attribution.js';
import {
  encodeMagstripeData,
  type MagstripeSource,
} from '@tillbridge/wire/terminals/idtech/magstripe-data.js';
import {
  maskMagstripeTrack2,
  maskPan,
  maskTrack57,
  type OpenDigits,
} from '@tillbridge/wire/terminals/idtech/masking.js';
import {
  encodeObjects,
  findObject,
  type SecureObject,
} from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import {
  ENTRY_MODES,
  PIN_BLOCK_TAG,
  TAGS,
  TAP_CVM,
  TEMPLATES,
} from '@tillbridge/wire/terminals/idtech/tags.js';
import type { TransactionData } from '../../kernel/transaction-data.js';
import type { CardAccount } from '../core/card-account.js';
import type { DukptDevice, EncipheredOnce } from '../core/dukpt-device.js';
import type { SaleInputs } from '../core/payment-core.js';
import { dateAndTime, hostObjects, saleOf } from '../core/sale-inputs.js';
import { tagsOf } from '../core/tag-list.js';
import { StatusError } from './step-error.js';

/** Objects that come when a card was read, where the host names none (default start transaction output). */
export const READ_TAGS = ['5F34', '5F24', '5F25', '5F2D', '50', '4F', '84', '9F24'] as const;

/** Objects that come with a cryptogram, where the host names none (default authenticate transaction output). */
export const DECISION_TAGS: readonly string[] = [
  ...CRYPTOGRAM_TAGS.filter((tag) => tag !== '50' && tag !== '84' && tag !== '9F41'),
  '9F12',
  '9F1C',
];

/** Objects of a sale, and their lengths; published scripts leave out all but the amount. */
const SALE_BYTES = [
  ['9F02', 6],
  ['9C', 1],
  ['5F2A', 2],
] as const;
/** Goods and services (EMV Book 3, tag 9C). */
const PURCHASE = plain('9C', Buffer.of(0));

const SENSITIVE: ReadonlySet<string> = new Set([...ACCOUNT_TAG_NAMES, '5F20']);

/** An object in clear. */
export function plain(tag: string, value: Uint8Array): SecureObject {
  return { tag, disclosure: 'plain', value };
}

/** What a data key enciphers with. */
function cipherOf({ algorithm }: DukptDevice): Attribution['cipher'] {
  return algorithm === 'tdes' ? 'tdes' : 'aes';
}

/** Enciphered chip and magstripe data. */
export function attributionOf(captured: CapturedFrom, key: DukptDevice): Attribution {
  return { captured, cipher: cipherOf(key), magstripeEncrypted: true, chipEncrypted: true };
}

/** Account data under the next data key: filled with zeros, chained from zeros. */
function enciphered(key: DukptDevice, clear: Uint8Array): EncipheredOnce {
  return key.encipherData(padZero(clear, key.blockBytes), Buffer.alloc(key.blockBytes));
}

/** The tags that a host requests in DFEE1A, or the default ones. */
export function wantedTags(
  objects: readonly SecureObject[],
  byDefault: readonly string[],
): readonly string[] {
  const list = findObject(objects, TAGS.outputTags);
  return list ? tagsOf(list) : byDefault;
}

/** Objects of a transaction that may be sent in clear. */
export function dataObjects(data: TransactionData, tags: readonly string[]): SecureObject[] {
  return tags.flatMap((tag) => {
    const value = SENSITIVE.has(tag) ? undefined : data.get(tag);
    return value ? [plain(tag, value)] : [];
  });
}

/**
 * DFEE12, then 57 where the card has a track 2, and 5A: each masked, and enciphered under the next data key as tag, length and value, filled
 * with zeros; in the order of a captured tap.
 * @throws KeyErased, CryptoError counterExhausted, StateError
 */
export function accountObjects(
  key: DukptDevice,
  { pan, track2 }: CardAccount,
  open: OpenDigits,
): SecureObject[] {
  const account = [
    ...(track2 === undefined
      ? []
      : [{ tag: '57', digits: track2.replace('=', 'D'), masked: maskTrack57(track2, open) }]),
    { tag: '5A', digits: pan, masked: maskPan(pan, open) },
  ];
  const { data, ksn } = key.encipherEach(
    account.map(({ tag, digits }) =>
      padZero(encodeTlv([tlv(tag, compressedNumeric(digits))]), key.blockBytes),
    ),
  );
  const accountObjects = account.flatMap(({ tag, masked }, at): SecureObject[] => [
    { tag, disclosure: 'masked', value: masked },
    { tag, disclosure: 'encrypted', value: data[at] ?? Buffer.alloc(0) },
  ]);
  return [plain(TAGS.dataKsn, ksn), ...accountObjects];
}

/** DFEE23: track 2 of a magstripe. @throws KeyErased, CryptoError counterExhausted, StateError */
export function magstripeObjects(
  key: DukptDevice,
  { track2 = '' }: CardAccount,
  serial: string,
  open: OpenDigits,
  fallback: boolean,
): SecureObject[] {
  const value = enhanced('magstripe', key, track2, serial, open);
  const entryMode = fallback ? ENTRY_MODES.fallback : ENTRY_MODES.magstripe;
  return [plain(TAGS.magstripeData, value), plain('9F39', Buffer.of(entryMode))];
}

/** A card number that was keyed in, with its expiry. @throws KeyErased, CryptoError counterExhausted, StateError */
export function keyedData(
  key: DukptDevice,
  { pan, expiry = '' }: CardAccount,
  serial: string,
  open: OpenDigits,
): Buffer {
  return enhanced('keyed', key, `${pan}=${expiry}`, serial, open);
}

/** A track 2 in the enhanced encrypted format. */
function enhanced(
  source: MagstripeSource,
  key: DukptDevice,
  track2: string,
  serial: string,
  open: OpenDigits,
): Buffer {
  const clear = Buffer.from(withCheckCharacter(`;${track2}?`), 'latin1');
  const { data, ksn } = enciphered(key, clear);
  return encodeMagstripeData(
    {
      source,
      masked: [undefined, maskMagstripeTrack2(track2, open), undefined],
      encrypted: [undefined, data, undefined],
      cipher: cipherOf(key),
      serial: serial.slice(-10),
      ksn,
    },
    [0, clear.length, 0],
  );
}

/** Longitudinal check of a track of four bits (ISO/IEC 7811-2). */
function withCheckCharacter(track: string): string {
  let check = 0;
  for (const byte of Buffer.from(track, 'latin1')) check ^= byte & 0x0f;
  return track + String.fromCharCode(0x30 | check);
}

/** Tag 99 and DFEE51: the PIN block under the next PIN key. */
export function pinObjects(pin: EncipheredOnce | undefined): SecureObject[] {
  return pin ? [plain(PIN_BLOCK_TAG, pin.data), plain(TAGS.pinKsn, pin.ksn)] : [];
}

/** First bytes of the AIDs whose taps answer a data record and discretionary data (Mastercard). */
const DATA_RECORD_SCHEME = 'A000000004';

/**
 * Objects of a tap in EMV mode. A Mastercard's stand in its data record (FF8105), its currency in the discretionary data (FF8106); the KSN of
 * the account data does not (captured answers).
 */
export function tapObjects(
  account: readonly SecureObject[],
  data: TransactionData,
  verification: 'none' | 'signature' | 'online-pin',
): SecureObject[] {
  const objects = [
    ...account,
    ...dataObjects(data, [...READ_TAGS, ...DECISION_TAGS]),
    plain('9F39', Buffer.of(ENTRY_MODES.tap)),
  ];
  const outside = tapVerification(verification);
  if (!toHex(data.get('4F') ?? Buffer.alloc(0)).startsWith(DATA_RECORD_SCHEME)) return [...objects, outside];
  const record = objects.filter(({ tag }) => tag !== TAGS.dataKsn);
  return [
    ...objects.filter(({ tag }) => tag === TAGS.dataKsn),
    plain(TEMPLATES.dataRecord, encodeObjects(record)),
    plain(TEMPLATES.discretionaryData, encodeObjects(dataObjects(data, ['9F42']))),
    outside,
  ];
}

/** DF52 of a tap. */
function tapVerification(way: 'none' | 'signature' | 'online-pin'): SecureObject {
  const value = way === 'online-pin' ? TAP_CVM.onlinePin : TAP_CVM[way];
  return plain(TAGS.tapVerification, Buffer.of(value));
}

/** The sale in the objects of ACTIVATE TRANSACTION; date and time are the device's. @throws StatusError wrongParameter */
export function saleInputs(objects: readonly SecureObject[], nowMs: number): SaleInputs {
  const refused = () => new StatusError('wrongParameter');
  for (const [tag, bytes] of SALE_BYTES)
    if ((findObject(objects, tag)?.length ?? bytes) !== bytes) throw refused();
  return saleOf(
    hostObjects((tag) => findObject([...objects, PURCHASE], tag), refused),
    dateAndTime(nowMs),
  );
}
