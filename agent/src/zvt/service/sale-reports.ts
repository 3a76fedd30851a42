import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { parseAmount } from '@tillbridge/wire/payment/money.js';
import { localTime } from '@tillbridge/wire/text/local-time.js';
import type { EntryMode } from '../../drivers/core/driver.js';
import type { SaleAnswer, SaleOutcome } from '../../sale/machine/state/answer.js';
import type { SaleReason } from '../../sale/machine/state/facts.js';
import { composeReceipt } from '../../sale/receipts/compose-receipt.js';
import type { ReceiptCopy } from '../../sale/receipts/receipt-data.js';
import { RECEIPT_COLUMNS, type ReceiptColumns, receiptLines } from '../../sale/receipts/receipt-lines.js';
import { SaleError } from '../../sale/service/sale-service.js';
import type { Registration } from '../messages/commands.js';
import type { Outgoing } from '../messages/outgoing.js';
import { abortion, completion, printed, statusInformation } from '../messages/reports.js';
import { RESULT, type ResultCode } from '../messages/result-codes.js';
import type { ZvtRequest } from '../requests/zvt-requests.js';
import type { Report, ZvtPorts } from './ports.js';

/** The result for each reason of an end that is no approval; of others the outcome decides. */
const OF_REASONS: Readonly<Partial<Record<SaleReason, ResultCode>>> = {
  'cancelled-by-cardholder': RESULT.aborted,
  'cancelled-by-till': RESULT.aborted,
  'card-timeout': RESULT.aborted,
  'terminal-failed': RESULT.processingError,
  'gateway-unreachable': RESULT.noConnection,
  'offline-not-allowed': RESULT.noConnection,
  'no-answer': RESULT.noAnswer,
  'amount-differs': RESULT.noAnswer,
  'agent-restarted': RESULT.noAnswer,
  'journal-unavailable': RESULT.systemError,
};
const OF_OUTCOMES: Readonly<Record<SaleOutcome, ResultCode>> = {
  approved: RESULT.ok,
  declined: RESULT.declined,
  cancelled: RESULT.aborted,
  reversed: RESULT.aborted,
  expired: RESULT.declined,
  failed: RESULT.processingError,
};

const TECHNOLOGIES: Readonly<Partial<Record<EntryMode, number>>> = {
  MAGSTRIPE: 0,
  MAGSTRIPE_AS_FALLBACK: 0,
  ICC: 1,
  NFC_ICC: 2,
  NFC_MAGSTRIPE: 2,
};

/** Whether a sale has no true end yet. */
export function isUnderWay({ state, outcome }: SaleAnswer): boolean {
  return outcome === null || state !== 'done';
}

/** The result of a sale; `RESULT.ok` alone is money. */
export function resultOf(answer: SaleAnswer): ResultCode {
  const { outcome, timeline } = answer;
  if (outcome === null || isUnderWay(answer)) return RESULT.wait;
  if (outcome === 'approved') return RESULT.ok;
  const end = timeline.findLast(({ step }) => step === outcome);
  return OF_REASONS[end?.detail?.split(':')[0] as SaleReason] ?? OF_OUTCOMES[outcome];
}

/** The result of a request, by its sale: of a reversal whether it was reversed. */
export function resultOfRequest({ category }: Pick<ZvtRequest, 'category'>, answer: SaleAnswer): ResultCode {
  if (category !== 'reversal') return resultOf(answer);
  if (answer.outcome === 'reversed') return RESULT.ok;
  return isUnderWay(answer) ? RESULT.wait : RESULT.reversalNotPossible;
}

/** What a report is made for. */
export interface ReportAbout {
  readonly request: ZvtRequest;
  readonly registration: Registration | undefined;
  readonly result: ResultCode;
  /** When receipts are printed once more; absent for the first time. */
  readonly reprintedAtMs?: number;
}

/** How a sale ended: status information, receipts, and the till's turn. */
export async function saleReport(ports: ZvtPorts, answer: SaleAnswer, about: ReportAbout): Promise<Report> {
  const { result, request } = about;
  const isOk = result === RESULT.ok;
  const messages = [
    statusInformation(statusOf(ports, answer, about)),
    ...(await receipts(ports, answer, about)),
    isOk ? completion() : abortion(result),
  ];
  const canWithhold = isOk && request.category === 'sale' && answer.outcome === 'approved';
  return { messages, canWithhold, isFinal: !isUnderWay(answer) };
}

/** A request that came to nothing before a sale was there. */
export function refusalReport(code: ResultCode): Report {
  return { messages: [abortion(code)], canWithhold: false, isFinal: true };
}

function statusOf({ store, merchantId }: ZvtPorts, answer: SaleAnswer, { result, request }: ReportAbout) {
  const { card, emv, approvalCode, cashierText, terminalId, amount, approvedAmount, currency, timeline } =
    answer;
  const at = timeline[0]?.at;
  const technology = card && TECHNOLOGIES[card.entryMode];
  return {
    result,
    receipt: request.receipt,
    terminalId,
    merchantId,
    minor: parseAmount(approvedAmount ?? amount, currency).minor,
    currency: currencyNumber(currency) ?? '000',
    text: cashierText,
    ...(at !== undefined && { at: localTime(Date.parse(at), store.timeZone) }),
    ...(card?.last4Digits && { last4Digits: card.last4Digits }),
    ...(card?.brand && { brand: card.brand }),
    ...(approvalCode !== undefined && { approvalCode }),
    ...(technology !== undefined && { technology }),
    ...(emv?.aid && { aid: emv.aid }),
  };
}

const COPIES: readonly ReceiptCopy[] = ['merchant', 'customer'];

async function receipts(
  { sales, store }: ZvtPorts,
  { reference, receipts: texts }: SaleAnswer,
  { registration, reprintedAtMs }: ReportAbout,
): Promise<readonly Outgoing[]> {
  if (!registration?.printsPayments || !texts) return [];
  try {
    const data = await sales.receipt(reference);
    return COPIES.flatMap((copy) => {
      const options = { copy, store, ...(reprintedAtMs !== undefined && { reprintedAtMs }) };
      const lines = receiptLines(composeReceipt(data, options), columnsOf(registration));
      return printed(
        lines.map(({ text }) => text),
        copy,
        registration.takesTextBlocks,
      );
    });
  } catch (error) {
    // The retention ended in between.
    if (error instanceof SaleError && error.code === 'not-allowed') return [];
    throw error;
  }
}

/** The widest form that the till's printer takes. */
export function columnsOf({ columns = RECEIPT_COLUMNS[0] }: Registration): ReceiptColumns {
  return RECEIPT_COLUMNS.findLast((each) => each <= columns) ?? RECEIPT_COLUMNS[0];
}
