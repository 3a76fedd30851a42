import { toHex } from '@tillbridge/wire/bytes.js';
import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { CardData, CardFacts, Enciphered, EntryMode, StartOutcome } from './driver.js';
import { requestData, textOf } from './emv-data.js';
import { MAX_POS_FIELD_BYTES } from './limits.js';
import { failed, isFailed, type Result, type SaleEnd, STOPPED_BY_TILL } from './result.js';

/** What a device leaves open of an account. */
export interface OpenAccount {
  /** Six digits. */
  readonly bin?: string;
  readonly last4Digits?: string;
  /** `YYMM`. */
  readonly expiry?: string;
}

/** A card that was read, as a device gave it. */
export interface ReadCard {
  readonly entryMode: EntryMode;
  readonly account: OpenAccount;
  /** The objects in clear. */
  readonly objects: readonly TlvNode[];
  readonly sred: Enciphered;
  readonly pin?: Enciphered | undefined;
  readonly pinInside?: boolean;
}

/** How a separate PIN entry ended; no PIN when the cardholder skipped it. */
export type PinEntry = { readonly kind: 'pin'; readonly pin: Enciphered | undefined } | SaleEnd;

/** What a terminal's decision on a card is for the sale. */
export const DECISIONS = {
  online: 'online-required',
  approved: 'approved-offline',
  declined: 'declined-offline',
} as const;

/** A decision on a card, for the sale. */
export type Decision = (typeof DECISIONS)[keyof typeof DECISIONS];

/** What the agent may know of a card, out of the open account and the objects of its chip (5F24, 5F34, 9F24, 84, 4F, 50). */
export function cardFacts(
  entryMode: EntryMode,
  account: OpenAccount,
  objects: readonly TlvNode[],
): CardFacts {
  const hex = (tag: string): string | undefined => {
    const value = findTlv(objects, tag);
    return value && toHex(value);
  };
  const facts = {
    bin: account.bin,
    last4Digits: account.last4Digits,
    expiry: account.expiry ?? hex('5F24')?.slice(0, 4),
    panSequenceNumber: hex('5F34'),
    paymentAccountReference: textOf(objects, '9F24'),
    aid: hex('84') ?? hex('4F'),
    label: textOf(objects, '50'),
  };
  return { entryMode, ...known(facts) };
}

/** The members that have a value. */
export function known<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** What the gateway needs of a card. Fails where a value is longer than its `pos.*` parameter allows. */
export function cardData({ entryMode, account, objects, sred, pin, pinInside }: ReadCard): Result<CardData> {
  const { length } = sred.data;
  if (length > MAX_POS_FIELD_BYTES) {
    return failed('data-too-long', `card data of ${length} bytes, at most ${MAX_POS_FIELD_BYTES}`);
  }
  const iccData = requestData(entryMode, objects);
  if (isFailed(iccData)) return iccData;
  const facts = cardFacts(entryMode, account, objects);
  return { facts, iccData, sred, ...(pin && { pin }), ...(pinInside && { pinInside }) };
}

/** Enciphered bytes and their key serial number, when both are there. */
export function enciphered(
  objects: readonly TlvNode[],
  dataTag: string,
  ksnTag: string,
): Enciphered | undefined {
  const [data, ksn] = [findTlv(objects, dataTag), findTlv(objects, ksnTag)];
  return data && ksn && { data, ksn };
}

/** The outcome of a card that was read. A sale that needs the issuer ends here when the till has stopped it. */
export function withCard(kind: Decision, card: Result<CardData>, stopped: boolean): StartOutcome {
  if (isFailed(card)) return card;
  return stopped && kind === 'online-required' ? STOPPED_BY_TILL : { kind, card };
}
