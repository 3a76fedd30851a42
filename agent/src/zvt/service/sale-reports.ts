import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { type Money, parseAmount } from '@tillbridge/wire/payment/money.js';
import { localTime } from '@tillbridge/wire/text/local-time.js';
import type { EntryMode } from '../../drivers/core/driver.js';
import type { AnswerCapture, SaleAnswer, SaleOutcome } from '../../sale/machine/state/answer.js';
import type { SaleReason } from '../../sale/machine/state/facts.js';
import { composeReceipt } from '../../sale/receipts/compose-receipt.js';
import type { ReceiptCopy, ReceiptData } from '../../sale/receipts/receipt-data.js';
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

/** Whether a sale runs, its outcome is being found out, or a booking of it is on its way. */
export function isOpen(answer: SaleAnswer): boolean {
  const isBooking = answer.captures?.some(({ state }) => state === 'queued') ?? false;
  return answer.state !== 'parked' && (isUnderWay(answer) || isBooking);
}

/** The result of a sale; `RESULT.ok` alone is money. */
export function resultOf(answer: SaleAnswer): ResultCode {
  const { outcome, timeline } = answer;
  if (outcome === null || isUnderWay(answer)) return RESULT.wait;
  if (outcome === 'approved') return RESULT.ok;
  const end = timeline.findLast(({ step }) => step === outcome);
  return OF_REASONS[end?.detail?.split(':')[0] as SaleReason] ?? OF_OUTCOMES[outcome];
}

/** The result of a request, by its sale: of a reversal whether it was reversed, of a booking whether the gateway took it. */
export function resultOfRequest({ category }: Pick<ZvtRequest, 'category'>, answer: SaleAnswer): ResultCode {
  if (category === 'booking') return resultOfBooking(answer);
  if (category !== 'reversal') return resultOf(answer);
  if (answer.outcome === 'reversed') return RESULT.ok;
  return isUnderWay(answer) ? RESULT.wait : RESULT.reversalNotPossible;
}

const OF_CAPTURES: Readonly<Record<AnswerCapture['state'], ResultCode>> = {
  queued: RESULT.wait,
  acknowledged: RESULT.ok,
  refused: RESULT.reservationNotOpen,
  // Staff has to resolve it.
  parked: RESULT.wait,
  withdrawn: RESULT.reservationNotOpen,
};

/** A booking that the agent never began has no capture. */
function resultOfBooking({ captures = [] }: SaleAnswer): ResultCode {
  const newest = captures.at(-1);
  return newest ? OF_CAPTURES[newest.state] : RESULT.noAnswer;
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
  const isApproval = request.category === 'sale' || request.category === 'reservation';
  const canWithhold = isOk && isApproval && answer.outcome === 'approved';
  return { messages, canWithhold, isFinal: result !== RESULT.wait && !isUnderWay(answer) };
}

/** A request that came to nothing before a sale was there. */
export function refusalReport(code: ResultCode): Report {
  return { messages: [abortion(code)], canWithhold: false, isFinal: true };
}

/** What was approved, or requested where nothing was. */
export function approvedOf({ amount, approvedAmount, currency }: SaleAnswer): Money {
  return parseAmount(approvedAmount ?? amount, currency);
}

function statusOf({ store, merchantId }: ZvtPorts, answer: SaleAnswer, { result, request }: ReportAbout) {
  const { card, emv, approvalCode, cashierText, terminalId, currency, timeline } = answer;
  const at = timeline[0]?.at;
  const technology = card && TECHNOLOGIES[card.entryMode];
  return {
    result,
    receipt: request.receipt,
    terminalId,
    merchantId,
    minor: request.category === 'booking' ? request.minor : approvedOf(answer).minor,
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
  { request, registration, reprintedAtMs }: ReportAbout,
): Promise<readonly Outgoing[]> {
  if (!registration?.printsPayments || !texts) return [];
  try {
    const data = dataOf(await sales.receipt(reference), request);
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

/** The receipt of a booking is that of a sale of its amount. */
function dataOf(data: ReceiptData, { category, minor, currency }: ZvtRequest): ReceiptData {
  if (category !== 'booking') return data;
  const { requested: _requested, availableBalance: _balance, ...rest } = data;
  return { ...rest, type: 'sale', amount: { minor, currency } };
}

/** The widest form that the till's printer takes. */
export function columnsOf({ columns = RECEIPT_COLUMNS[0] }: Registration): ReceiptColumns {
  return RECEIPT_COLUMNS.findLast((each) => each <= columns) ?? RECEIPT_COLUMNS[0];
}
