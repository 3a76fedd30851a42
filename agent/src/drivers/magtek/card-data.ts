import { toHex } from '@tillbridge/wire/bytes.js';
import { TVR, TVR_BYTES } from '@tillbridge/wire/emv/bit-fields.js';
import { hasBit } from '@tillbridge/wire/emv/bits.js';
import { findTemplate, findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { readMaskedTrack } from '@tillbridge/wire/terminals/magtek/masked-track.js';
import type { Technology } from '@tillbridge/wire/terminals/magtek/notifications.js';
import {
  CARD_TYPES,
  decodeTransactionObject,
  encipheredPart,
  FALLBACK_INDICATORS,
  OBJECT_TAGS,
  OUTCOME_CVM,
  OUTCOME_CVM_AT,
  type TransactionObject,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import { requiresPin } from '../core/card-attempts.js';
import { cardData, cardFacts, type OpenAccount } from '../core/card-data.js';
import type { CardData, EntryMode } from '../core/driver.js';
import { attempt, failed, isFailed, type Result } from '../core/result.js';

/** A terminal without a TVR has not requested a PIN. */
const NO_TVR = Buffer.alloc(TVR_BYTES);

/** An object of the device and its bytes. */
export interface DeviceObject {
  readonly bytes: Uint8Array;
  readonly object: TransactionObject;
}

/** Reads an ARQC or batch data object. */
export function readObject(bytes: Uint8Array | undefined): Result<DeviceObject> {
  if (!bytes) return failed('protocol-error', 'the notification has no object of a transaction');
  return attempt('object', () => ({ bytes, object: decodeTransactionObject(bytes) }));
}

/** The application cryptogram of an object, hex: by it a request that is sent again is known. */
export function cryptogramOf({ object }: DeviceObject): string | undefined {
  const value = findTlv(object.nodes, '9F26');
  return value && toHex(value);
}

/** The objects in clear: those of an ARQC stand in 70, those of batch data in F2. */
function clearObjects({ generic, nodes }: TransactionObject): readonly TlvNode[] {
  return findTemplate(generic, OBJECT_TAGS.request) ?? findTemplate(nodes, OBJECT_TAGS.clearBatch) ?? [];
}

function byteOf(nodes: readonly TlvNode[], tag: string): number | undefined {
  return findTlv(nodes, tag)?.[0];
}

const OF_CARD_TYPE: ReadonlyMap<number, EntryMode> = new Map([
  [CARD_TYPES.contact, 'ICC'],
  [CARD_TYPES.contactless, 'NFC_ICC'],
  [CARD_TYPES.contactlessMagstripe, 'NFC_MAGSTRIPE'],
  [CARD_TYPES.magstripe, 'MAGSTRIPE'],
  [CARD_TYPES.magstripeOfChipCard, 'MAGSTRIPE'],
  [CARD_TYPES.manual, 'MANUAL'],
]);

const OF_TECHNOLOGY: Readonly<Record<Technology, EntryMode | undefined>> = {
  contact: 'ICC',
  contactless: 'NFC_ICC',
  magstripe: 'MAGSTRIPE',
  manual: 'MANUAL',
  none: undefined,
};

function entryMode(object: TransactionObject, technology: Technology): EntryMode | undefined {
  const clear = clearObjects(object);
  const cardType = byteOf(clear, OBJECT_TAGS.cardType);
  // Batch data have no card type: the notification with them has the technology.
  if (cardType === undefined) return OF_TECHNOLOGY[technology];
  const mode = OF_CARD_TYPE.get(cardType);
  const fallback = byteOf(clear, OBJECT_TAGS.fallback) ?? FALLBACK_INDICATORS.none;
  return mode === 'MAGSTRIPE' && fallback !== FALLBACK_INDICATORS.none ? 'MAGSTRIPE_AS_FALLBACK' : mode;
}

/** What a masked track leaves open. */
function openAccount({ nodes }: TransactionObject): OpenAccount {
  const masked = findTlv(nodes, OBJECT_TAGS.maskedChip) ?? findTlv(nodes, OBJECT_TAGS.maskedMagstripe) ?? [];
  return readMaskedTrack(Buffer.from(masked).toString('latin1').trim());
}

/** What the gateway needs of a card. @param technology how it was read, from the notification */
export function readCard({ bytes, object }: DeviceObject, technology: Technology): Result<CardData> {
  const mode = entryMode(object, technology);
  if (!mode) return failed('card-error', 'the terminal read a card of a kind that no sale is made with');
  const part = attempt('object', () => encipheredPart(object));
  if (isFailed(part)) return part;
  const clear = clearObjects(object);
  // The gateway gets the whole object: its enciphered part holds the PIN block, where there is one.
  const sred = { data: bytes, ksn: part.ksn };
  const card = cardData({
    entryMode: mode,
    account: openAccount(object),
    objects: clear,
    sred,
    pinInside: mayHoldPin(mode, clear),
  });
  if (isFailed(card)) return card;
  return { ...card, facts: cardFacts(mode, openAccount(object), object.nodes) };
}

/**
 * Whether the enciphered part may hold a PIN block, by the objects in clear. Without such objects it may:
 * data with a PIN block are stored nowhere.
 */
function mayHoldPin(mode: EntryMode, clear: readonly TlvNode[]): boolean {
  switch (mode) {
    case 'ICC':
      return hasBit(findTlv(clear, '95') ?? NO_TVR, TVR.onlinePinEntered);
    case 'NFC_ICC': {
      const verification = findTlv(clear, OBJECT_TAGS.outcomeParameters)?.[OUTCOME_CVM_AT];
      return verification === undefined || verification === OUTCOME_CVM.onlinePin;
    }
    case 'MANUAL':
      return false;
    default: {
      const serviceCode = findTlv(clear, '5F30');
      return serviceCode === undefined || requiresPin(toHex(serviceCode).slice(-3));
    }
  }
}

/** The objects of the end in batch data. */
export function finalObjects({ object }: DeviceObject): readonly TlvNode[] {
  return clearObjects(object);
}
