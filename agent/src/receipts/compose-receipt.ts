import { formatAmount, type Money } from '@tillbridge/protocol/payment/money.js';
import type { Language, StoreConfig } from '../config/store.js';
import { localText } from '../time/store-time.js';
import type { ReceiptCopy, ReceiptData } from './receipt-data.js';
import { RECEIPT_TEXTS, type ReceiptTexts } from './receipt-texts.js';

/** One line of a receipt before it is laid out. */
export type ReceiptLine =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'center'; readonly text: string }
  /** How the sale ended: emphasized. */
  | { readonly kind: 'verdict'; readonly text: string }
  | { readonly kind: 'pair'; readonly name: string; readonly value: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'signature'; readonly name: string };

/** A receipt: groups of lines, parted by blank ones. */
export interface ReceiptDocument {
  readonly language: Language;
  readonly groups: readonly (readonly ReceiptLine[])[];
}

/** Which receipt of a sale is wanted. */
export interface ReceiptOptions {
  readonly copy: ReceiptCopy;
  readonly store: StoreConfig;
  /** Default: that of the store. */
  readonly language?: Language;
  /** When it is printed once more; absent for the first time. Milliseconds since 1970. */
  readonly reprintedAtMs?: number;
}

/** What a receipt says, in the order of its lines. */
export function composeReceipt(data: ReceiptData, options: ReceiptOptions): ReceiptDocument {
  const { store, language = store.language } = options;
  const texts = RECEIPT_TEXTS[language];
  const groups = [
    heading(data, options, texts),
    about(data, options, texts, language),
    card(data, texts),
    emv(data, texts),
    result(data, options, texts),
  ];
  return { language, groups: groups.filter((lines) => lines.length > 0) };
}

function heading(
  { type, isLateDecline }: ReceiptData,
  { copy, store, reprintedAtMs }: ReceiptOptions,
  texts: ReceiptTexts,
): ReceiptLine[] {
  return [
    ...[store.name, ...store.address].filter((line) => line !== undefined).map(centered),
    ...(reprintedAtMs === undefined ? [] : [centered(texts.reprint)]),
    centered(copy === 'customer' ? texts.customerCopy : texts.merchantCopy),
    { kind: 'heading', text: texts[type] },
    ...(isLateDecline ? [{ kind: 'heading' as const, text: texts.lateDeclineNotice }] : []),
  ];
}

function about(
  data: ReceiptData,
  { copy, store, reprintedAtMs }: ReceiptOptions,
  texts: ReceiptTexts,
  language: Language,
): ReceiptLine[] {
  const time = (atMs: number) =>
    `${localText(atMs, store.timeZone)}${store.timeZone === 'UTC' ? ' UTC' : ''}`;
  return pairs([
    [texts.date, time(data.atMs)],
    [texts.printed, reprintedAtMs === undefined ? undefined : time(reprintedAtMs)],
    [texts.merchant, copy === 'merchant' ? store.merchantId : undefined],
    [texts.terminal, data.terminalId],
    [texts.till, data.till],
    [texts.sequence, String(data.sequence)],
    [texts.reference, data.reference],
    [texts.amount, amountText(data.amount, language)],
    [texts.ofTotal, data.asked && amountText(data.asked, language)],
  ]);
}

function amountText(amount: Money, language: Language): string {
  const number = formatAmount(amount);
  return `${amount.currency} ${language === 'en' ? number : number.replace('.', ',')}`;
}

function card({ last4Digits, brand, entryMode, emv: data }: ReceiptData, texts: ReceiptTexts): ReceiptLine[] {
  return pairs([
    [texts.card, last4Digits && `************${last4Digits}`],
    [texts.brand, brand],
    [texts.entry, entryMode && texts[entryMode]],
    [texts.verification, verification(data?.cvm, texts)],
  ]);
}

/** Methods of tag 9F34 by which a PIN was checked (EMV Book 3 Annex C3), the "apply next" bit aside. */
const PIN_METHODS: ReadonlySet<number> = new Set([0x01, 0x02, 0x03, 0x04, 0x05]);
/** Its third byte: the method failed. */
const FAILED = 0x01;

/** That a PIN was checked; nothing where it failed. A signature has a line of its own. */
function verification(cvm: string | undefined, texts: ReceiptTexts): string | undefined {
  const [method = 0, , outcome] = (cvm?.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  if (cvm === undefined || outcome === FAILED) return undefined;
  return PIN_METHODS.has(method & 0x3f) ? texts.pin : undefined;
}

function emv({ emv: data }: ReceiptData, texts: ReceiptTexts): ReceiptLine[] {
  return pairs([
    ['AID', data?.aid],
    [texts.application, data?.label],
    ['TVR', data?.tvr],
    ['TSI', data?.tsi],
    ['ARC', data?.arc],
    ['ATC', data?.atc],
    [data?.acType ?? 'AC', data?.ac],
  ]);
}

function result(data: ReceiptData, { copy }: ReceiptOptions, texts: ReceiptTexts): ReceiptLine[] {
  const isMerchant = copy === 'merchant';
  const { isLateDecline, resultCode, paymentId } = data;
  const verdict = data.verdict.filter((note) => isMerchant || note !== 'merchantRisk');
  const notice = isMerchant ? texts.noticeMerchant : texts.noticeCustomer;
  return [
    ...verdict.map((note) => ({ kind: 'verdict' as const, text: texts[note] })),
    ...pairs([
      [texts.approvalCode, data.approvalCode],
      [texts.result, isMerchant && isLateDecline ? resultCode : undefined],
      [texts.payment, isMerchant ? paymentId : undefined],
    ]),
    ...(isLateDecline ? [{ kind: 'paragraph' as const, text: notice }] : []),
    ...(isMerchant && data.signature ? [{ kind: 'signature' as const, name: texts.signature }] : []),
  ];
}

function pairs(all: readonly (readonly [name: string, value: string | undefined])[]): ReceiptLine[] {
  return all.flatMap(([name, value]) => (value ? [{ kind: 'pair', name, value }] : []));
}

function centered(text: string): ReceiptLine {
  return { kind: 'center', text };
}
