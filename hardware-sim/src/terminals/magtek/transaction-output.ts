import { wipe } from '@tillbridge/wire/bytes.js';
import { padZeros } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { PIN_BLOCK_4_BYTES } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import {
  encodeClearData,
  magstripeObject,
  magstripeTrack2Text,
  pinObject,
} from '@tillbridge/wire/terminals/magtek/account-data.js';
import { ENCRYPTION_TYPES } from '@tillbridge/wire/terminals/magtek/encryption-type.js';
import { maskTrack } from '@tillbridge/wire/terminals/magtek/masked-track.js';
import {
  CARD_TYPES,
  encodeAuthenticated,
  encodeEnciphered,
  encodeTransactionObject,
  OBJECT_TAGS,
  OUTCOME_CVM,
  OUTCOME_CVM_AT,
  TRANSACTION_STATUS,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import type { TransactionData } from '../../kernel/transaction-data.js';
import { accountObjects } from '../core/account-tlv.js';
import { type CardAccount, namesChip } from '../core/card-account.js';
import { chipObjects, DECISION_TAGS } from '../core/chip-objects.js';
import type { DukptDevice, EncipheredOnce } from '../core/dukpt-device.js';
import { tagsOf } from '../core/tag-list.js';
import type { DeviceProperties } from './device-properties.js';

/** Tags of a chip that the device reports: the default list of an ARQC, and those of "report all tags". */
const CHIP_TAGS: readonly string[] = [
  ...DECISION_TAGS,
  ...['57', '5A', '5F20', '5F30', '9F15', '9F39', '9F5B', '9F6E', OBJECT_TAGS.outcomeParameters],
];

/** Values of DFDF52 of a track that no chip gave: a magstripe's, or what the device makes of a card that was keyed in. */
const MAGSTRIPE_TYPES: ReadonlySet<number> = new Set([
  CARD_TYPES.magstripe,
  CARD_TYPES.magstripeOfChipCard,
  CARD_TYPES.manual,
]);
/** Encryption types of the device's keys. */
const TYPES = {
  tdes: { data: ENCRYPTION_TYPES.tdesData, mac: ENCRYPTION_TYPES.tdesMac },
  aes128: { data: ENCRYPTION_TYPES.aes128Data, mac: ENCRYPTION_TYPES.aes128Mac },
} as const;

/** What objects are made from. */
export interface OutputDeps {
  readonly properties: DeviceProperties;
  readonly dataKey: DukptDevice;
  /** DFDF25. */
  readonly serial: Buffer;
}

/** A card on its way to the issuer, or at its end. */
export interface CardOutput {
  readonly cardType: number;
  /** DFDF53. */
  readonly fallback: number;
  readonly account: CardAccount;
  /** Every object of a chip, or of a magstripe that a chip gave over the air. */
  readonly data?: TransactionData;
  /** Objects of the sale, for a magstripe. */
  readonly sale: readonly TlvNode[];
  readonly pin?: EncipheredOnce;
}

function picked(data: TransactionData, wanted: (tag: string) => boolean): TlvNode[] {
  return chipObjects(data, CHIP_TAGS.filter(wanted));
}

/** Which objects go in clear and which enciphered, as the device is set. */
function splitObjects(
  { properties }: OutputDeps,
  data: TransactionData,
): { clear: TlvNode[]; hidden: TlvNode[] } {
  if (properties.byte('reportAllTags') === 0) return { clear: [], hidden: picked(data, () => true) };
  const secret = new Set(tagsOf(properties.get('encryptedTags')));
  return { clear: picked(data, (tag) => !secret.has(tag)), hidden: picked(data, (tag) => secret.has(tag)) };
}

function magstripeClear({ properties }: OutputDeps, { account, sale }: CardOutput): TlvNode[] {
  if (properties.byte('reportAllTags') === 0) return [];
  const clearTags = new Set(tagsOf(properties.get('magstripeClearTags')));
  const { expiry, serviceCode } = account;
  const own = [
    ...(expiry === undefined ? [] : [tlv('5F24', Buffer.from(`${expiry}31`, 'hex'))]),
    ...(serviceCode === undefined ? [] : [tlv('5F30', Buffer.from(serviceCode.padStart(4, '0'), 'hex'))]),
  ];
  return [...sale, ...own].filter(({ tag }) => clearTags.has(tag));
}

/** DFDF4D or DFDF33. */
function maskedTrack({ properties }: OutputDeps, { account, cardType }: CardOutput): TlvNode[] {
  if (account.track2 === undefined) return [];
  const corrects = properties.byte('maskCheckDigit') !== 0;
  const mask = corrects ? '0' : properties.get('maskCharacter').toString('latin1');
  const open = { leading: properties.byte('panLeading'), trailing: properties.byte('panTrailing') };
  const tag = MAGSTRIPE_TYPES.has(cardType) ? OBJECT_TAGS.maskedMagstripe : OBJECT_TAGS.maskedChip;
  return [tlv(tag, Buffer.from(maskTrack(account.track2, open, mask), 'latin1'))];
}

/** F4: the second track, enciphered under a separate key. */
function magstripe({ dataKey }: OutputDeps, { track2 = '' }: CardAccount): TlvNode {
  const clear = padZeros(magstripeTrack2Text(track2), dataKey.blockBytes);
  try {
    const part = dataKey.encipherData(clear, Buffer.alloc(dataKey.blockBytes));
    return magstripeObject({ ...part, type: TYPES[dataKey.algorithm].data });
  } finally {
    wipe(clear);
  }
}

function pinContainer({ data, ksn }: EncipheredOnce): TlvNode {
  if (data.length === PIN_BLOCK_4_BYTES)
    return pinObject({ ksn, block: data, format: 4 }, ENCRYPTION_TYPES.aes128Pin);
  return pinObject({ ksn, block: data, format: 0 }, ENCRYPTION_TYPES.tdesPin);
}

interface CardObjects {
  readonly clear: readonly TlvNode[];
  readonly hidden: readonly TlvNode[];
}

function cardObjects(deps: OutputDeps, card: CardOutput): CardObjects {
  const { data, account, pin, cardType } = card;
  const pinPart = pin ? [pinContainer(pin)] : [];
  if (!data) return { clear: magstripeClear(deps, card), hidden: [magstripe(deps, account), ...pinPart] };
  // Track data out of a chip in magstripe mode: the cryptogram is in the track, no chip data go with it.
  if (cardType === CARD_TYPES.contactlessMagstripe) {
    return { clear: magstripeClear(deps, card), hidden: [...accountObjects(account), ...pinPart] };
  }
  const { clear, hidden } = splitObjects(deps, data);
  return { clear, hidden: [...hidden, ...pinPart] };
}

/**
 * An object around the enciphered part of a card (F8). Its MAC is made under the serial number of that part (captured objects).
 * @param partsOf children of FA, and its further siblings
 */
function authenticated(
  { dataKey, serial }: OutputDeps,
  hidden: readonly TlvNode[],
  partsOf: (enciphered: TlvNode) => {
    readonly generic: readonly TlvNode[];
    readonly furtherObjects?: readonly TlvNode[];
  },
): Buffer {
  const { data: encryptionType, mac: macType } = TYPES[dataKey.algorithm];
  const bare = encodeClearData(hidden);
  const clear = padZeros(bare, dataKey.blockBytes);
  const paddingBytes = clear.length - bare.length;
  try {
    const { message, mac } = dataKey.encipherAndAuthenticate(clear, ({ data, ksn }) => {
      const enciphered = encodeEnciphered({ data, ksn, encryptionType, paddingBytes });
      return encodeAuthenticated({ macKsn: ksn, macType, serial, ...partsOf(enciphered) });
    });
    return encodeTransactionObject(message, mac);
  } finally {
    wipe(bare, clear);
  }
}

/** The ARQC object. @throws KeyErased, CryptoError counterExhausted, StateError */
export function requestObject(deps: OutputDeps, card: CardOutput): Buffer {
  const { clear, hidden } = cardObjects(deps, card);
  return authenticated(deps, hidden, (enciphered) => {
    const request = tlv(OBJECT_TAGS.request, [
      tlv(OBJECT_TAGS.fallback, Buffer.of(card.fallback)),
      ...clear,
      ...maskedTrack(deps, card),
      tlv(OBJECT_TAGS.cardType, Buffer.of(card.cardType)),
      enciphered,
    ]);
    return { generic: [request] };
  });
}

/** Batch data: how it ended, and the objects of the end. @throws KeyErased, CryptoError counterExhausted, StateError */
export function batchObject(deps: OutputDeps, card: CardOutput, approved: boolean): Buffer {
  const { clear, hidden } = cardObjects(deps, card);
  const status = approved ? TRANSACTION_STATUS.accept : TRANSACTION_STATUS.decline;
  return authenticated(deps, hidden, (enciphered) => {
    const results = tlv(OBJECT_TAGS.results, [
      tlv(OBJECT_TAGS.statusData, [
        tlv(OBJECT_TAGS.transactionStatus, Buffer.of(status)),
        tlv(OBJECT_TAGS.additionalInformation, Buffer.of(0)),
      ]),
      enciphered,
      tlv(OBJECT_TAGS.merchantData, maskedTrack(deps, card)),
    ]);
    return { generic: [results], furtherObjects: [tlv(OBJECT_TAGS.clearBatch, clear)] };
  });
}

const CVM_OF_TAP = {
  none: OUTCOME_CVM.none,
  signature: OUTCOME_CVM.signature,
  'online-pin': OUTCOME_CVM.onlinePin,
} as const;
/** Outcome, start, online response, CVM, what to show, other interface, field off, removal timeout (EMV Book A). */
const OUTCOME_OF_TAP = Buffer.from('30F0F0F000F0FF00', 'hex');

/** DF29 of a tap. */
export function outcomeParameters(verification: keyof typeof CVM_OF_TAP): Buffer {
  const value = Buffer.from(OUTCOME_OF_TAP);
  value[OUTCOME_CVM_AT] = CVM_OF_TAP[verification];
  return value;
}

/** DFDF52 of a magstripe: whether its service code names a chip. */
export function magstripeCardType(account: CardAccount): number {
  return namesChip(account) ? CARD_TYPES.magstripeOfChipCard : CARD_TYPES.magstripe;
}
