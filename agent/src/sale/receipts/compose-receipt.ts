import { exactAmount, type Money } from '@tillbridge/wire/payment/money.js';
import { localText } from '@tillbridge/wire/text/local-time.js';
import type { SaleOutcome } from '../machine/state/answer.js';
import type { ReceiptCopy, ReceiptData } from './receipt-data.js';
import { type Label, RECEIPT_TEXTS, type ReceiptTexts, type VerdictNote } from './receipt-texts.js';
import type { Language, StoreConfig } from './store.js';

/** The content of a receipt's line, without a language. */
export type ReceiptKey =
  | 'store'
  | 'type'
  | 'notice'
  | 'aid'
  | 'tvr'
  | 'tsi'
  | 'arc'
  | 'atc'
  | 'ac'
  | Label
  | SaleOutcome
  | VerdictNote;

/** One line of a receipt before it is laid out. */
export type ReceiptLine = { readonly key: ReceiptKey } & (
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'center'; readonly text: string }
  /** How the sale ended: emphasized. */
  | { readonly kind: 'verdict'; readonly text: string }
  | { readonly kind: 'pair'; readonly name: string; readonly value: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'signature'; readonly name: string }
);

/** A receipt: groups of lines, parted by blank ones. */
export interface ReceiptDocument {
  readonly language: Language;
  readonly groups: readonly (readonly ReceiptLine[])[];
}

/** Which receipt of a sale is wanted. */
interface ReceiptOptions {
  readonly copy: ReceiptCopy;
  readonly store: StoreConfig;
  /** Default: that of the store. */
  readonly language?: Language;
  /** When it is printed once more; absent for the first time. Milliseconds since 1970. */
  readonly reprintedAtMs?: number;
}

/** Content of a receipt, in the order of its lines. */
export function composeReceipt(data: ReceiptData, options: ReceiptOptions): ReceiptDocument {
  const { store, language = store.language } = options;
  const texts = RECEIPT_TEXTS[language];
  const groups = [
    heading(data, options, texts),
    about(data, options, texts, language),
    card(data, texts),
    emv(data, texts),
    result(data, options, texts, language),
  ];
  return { language, groups: groups.filter((lines) => lines.length > 0) };
}

function heading(
  { type, isLateDecline }: ReceiptData,
  { copy, store, reprintedAtMs }: ReceiptOptions,
  texts: ReceiptTexts,
): ReceiptLine[] {
  return [
    ...[store.name, ...store.address]
      .filter((line) => line !== undefined)
      .map((text) => ({ key: 'store', kind: 'center', text }) as const),
    ...(reprintedAtMs === undefined ? [] : [centered('reprint', texts)]),
    centered(copy === 'customer' ? 'customerCopy' : 'merchantCopy', texts),
    { key: 'type', kind: 'heading', text: texts[type] },
    ...(isLateDecline
      ? [{ key: 'lateDeclineNotice', kind: 'heading', text: texts.lateDeclineNotice } as const]
      : []),
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
  return labelled(texts, [
    ['date', time(data.atMs)],
    ['printed', reprintedAtMs === undefined ? undefined : time(reprintedAtMs)],
    ['merchant', copy === 'merchant' ? store.merchantId : undefined],
    ['terminal', data.terminalId],
    ['till', data.till],
    ['sequence', String(data.sequence)],
    ['reference', data.reference],
    ['amount', amountText(data.amount, language)],
    ['ofTotal', data.requested && amountText(data.requested, language)],
    ['tip', data.tip && amountText(data.tip, language)],
  ]);
}

function amountText(amount: Money, language: Language): string {
  const number = exactAmount(amount);
  return `${amount.currency} ${language === 'en' ? number : number.replace('.', ',')}`;
}

function card({ last4Digits, brand, entryMode, emv: data }: ReceiptData, texts: ReceiptTexts): ReceiptLine[] {
  return labelled(texts, [
    ['card', last4Digits && `************${last4Digits}`],
    ['brand', brand],
    ['entry', entryMode && texts[entryMode]],
    ['verification', verification(data?.cvm, texts)],
  ]);
}

/** Methods of tag 9F34 by which a PIN was checked (EMV Book 3 Annex C3), the "apply next" bit aside. */
const PIN_METHODS: ReadonlySet<number> = new Set([0x01, 0x02, 0x03, 0x04, 0x05]);
/** Its third byte: the method failed. */
const FAILED = 0x01;

/** That a PIN was checked; nothing where it failed. A signature has a separate line. */
function verification(cvm: string | undefined, texts: ReceiptTexts): string | undefined {
  const [method = 0, , outcome] = (cvm?.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  if (outcome === FAILED) return undefined;
  return PIN_METHODS.has(method & 0x3f) ? texts.pin : undefined;
}

function emv({ emv: data }: ReceiptData, texts: ReceiptTexts): ReceiptLine[] {
  return pairs([
    ['aid', 'AID', data?.aid],
    ['application', texts.application, data?.label],
    ['tvr', 'TVR', data?.tvr],
    ['tsi', 'TSI', data?.tsi],
    ['arc', 'ARC', data?.arc],
    ['atc', 'ATC', data?.atc],
    ['ac', data?.acType ?? 'AC', data?.ac],
  ]);
}

function result(
  data: ReceiptData,
  { copy }: ReceiptOptions,
  texts: ReceiptTexts,
  language: Language,
): ReceiptLine[] {
  const isMerchant = copy === 'merchant';
  const { isLateDecline, resultCode, paymentId, availableBalance, cashBack } = data;
  const verdict = data.verdict.filter((note) => isMerchant || note !== 'merchantRisk');
  const notice = isMerchant ? texts.noticeMerchant : texts.noticeCustomer;
  return [
    ...verdict.map((note) => ({ key: note, kind: 'verdict', text: texts[note] }) as const),
    ...labelled(texts, [
      ['approvalCode', data.approvalCode],
      ['cashBack', cashBack && amountText(cashBack, language)],
      // The merchant has no business with what a cardholder owns.
      [
        'availableBalance',
        isMerchant ? undefined : availableBalance && amountText(availableBalance, language),
      ],
      ['result', isMerchant && isLateDecline ? resultCode : undefined],
      ['payment', isMerchant ? paymentId : undefined],
    ]),
    ...(isLateDecline ? [{ key: 'notice', kind: 'paragraph', text: notice } as const] : []),
    ...(isMerchant && data.signature
      ? [{ key: 'signature', kind: 'signature', name: texts.signature } as const]
      : []),
  ];
}

/** Lines whose name stands in the table of texts. */
function labelled(
  texts: ReceiptTexts,
  all: readonly (readonly [key: Label, value: string | undefined])[],
): ReceiptLine[] {
  return pairs(all.map(([key, value]) => [key, texts[key], value]));
}

function pairs(
  all: readonly (readonly [key: ReceiptKey, name: string, value: string | undefined])[],
): ReceiptLine[] {
  return all.flatMap(([key, name, value]) => (value ? [{ key, kind: 'pair', name, value }] : []));
}

function centered(key: Label, texts: ReceiptTexts): ReceiptLine {
  return { key, kind: 'center', text: texts[key] };
}
