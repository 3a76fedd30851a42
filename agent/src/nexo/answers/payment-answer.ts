import { parseAmount } from '@tillbridge/wire/payment/money.js';
import { startOfDay } from '@tillbridge/wire/text/local-time.js';
import type { SaleAnswer } from '../../sale/machine/state/answer.js';
import type { CardDetails } from '../../sale/service/sale-service.js';
import { majorUnits } from '../messages/amounts.js';
import type { NexoResponse } from '../messages/response.js';
import type { TillRequest } from '../requests/till-requests.js';
import { cardData } from './card-data.js';
import type { PaymentReceipt } from './receipt-content.js';
import { paymentResult, reversalResult } from './sale-result.js';

/** Methods by the code of the CVM results, its "apply next" bit aside (EMV Book 3 Annex C3). */
const CVM_METHODS: Readonly<Record<number, string>> = {
  1: 'OfflinePIN',
  2: 'OnlinePIN',
  3: 'OfflinePIN',
  4: 'OfflinePIN',
  5: 'OfflinePIN',
  30: 'PaperSignature',
  31: 'Bypass',
};

/** What an answer needs in addition to the sale. */
interface AnswerAbout {
  /** What the till called the transaction. */
  readonly request: Pick<TillRequest, 'transactionId' | 'timeStamp'>;
  readonly merchantId: string;
  /** Of the store: its days are what totals are of. */
  readonly timeZone: string;
  readonly receipts: readonly PaymentReceipt[];
  /** Only for a key with the right to them. */
  readonly cardDetails?: CardDetails | undefined;
}

interface TransactionId {
  readonly TransactionID: string;
  readonly TimeStamp: string;
}

/** What names the sale at the terminal: `reference.paymentId`, only the reference until the gateway has given an id. */
export function poiTransaction({ reference, paymentId, timeline }: SaleAnswer): TransactionId {
  return {
    TransactionID: paymentId === undefined ? reference : `${reference}.${paymentId}`,
    TimeStamp: timeline[0]?.at ?? '',
  };
}

/** The totals that an instant belongs to: the day of the store. */
export function reconciliationId(atMs: number, timeZone: string): string {
  return new Date(startOfDay(atMs, timeZone)).toISOString();
}

function poiData(answer: SaleAnswer, { timeZone }: AnswerAbout): object {
  const atMs = Date.parse(answer.timeline[0]?.at ?? '');
  return {
    POITransactionID: poiTransaction(answer),
    ...(Number.isFinite(atMs) && { POIReconciliationID: reconciliationId(atMs, timeZone) }),
  };
}

/** The reference and payment id that a {@link poiTransaction} names. */
export function readPoiTransaction(id: string): { readonly reference: string; readonly paymentId?: string } {
  const match = /^(.+)\.([0-9a-f]{32})$/.exec(id);
  return match ? { reference: match[1] ?? '', ...(match[2] && { paymentId: match[2] }) } : { reference: id };
}

/** The till's own name of the transaction, as it comes back in the answer. */
export function saleData({ transactionId, timeStamp }: AnswerAbout['request']): {
  readonly SaleTransactionID: TransactionId;
} {
  return { SaleTransactionID: { TransactionID: transactionId, TimeStamp: timeStamp } };
}

/** The `PaymentResponse` of a sale. */
export function paymentAnswer(answer: SaleAnswer, about: AnswerAbout): { readonly Response: NexoResponse } {
  return {
    Response: paymentResult(answer),
    ...{
      SaleData: saleData(about.request),
      POIData: poiData(answer, about),
      ...(answer.outcome !== null && { PaymentResult: paymentOutcome(answer, about) }),
      ...receiptMember(about),
    },
  };
}

/** The `ReversalResponse` of a reversal of all of a sale, or of a refund (`refund`) of a part. */
export function reversalAnswer(
  original: SaleAnswer,
  about: AnswerAbout,
  refund?: SaleAnswer,
): { readonly Response: NexoResponse } {
  const done = refund ?? original;
  const isDone = refund ? refund.outcome === 'approved' : original.outcome === 'reversed';
  const amount = parseAmount(done.approvedAmount ?? done.amount, done.currency);
  return {
    Response: refund ? paymentResult(refund) : reversalResult(original),
    ...{
      POIData: poiData(done, about),
      OriginalPOITransaction: { POITransactionID: poiTransaction(original) },
      ...(isDone && { ReversedAmount: majorUnits(amount) }),
      ...receiptMember(about),
    },
  };
}

function receiptMember({ receipts }: AnswerAbout) {
  return receipts.length === 0 ? {} : { PaymentReceipt: receipts };
}

/** Tip and cash back of what was approved as a whole. */
function partsOf({ outcome, approvedAmount, tip, cashBack, currency }: SaleAnswer): object {
  if (outcome !== 'approved' || approvedAmount !== undefined) return {};
  const units = (text: string) => majorUnits(parseAmount(text, currency));
  return {
    ...(tip !== undefined && { TipAmount: units(tip) }),
    ...(cashBack !== undefined && { CashBackAmount: units(cashBack) }),
  };
}

function paymentOutcome(answer: SaleAnswer, { merchantId, cardDetails }: AnswerAbout): object {
  const { outcome, amount, approvedAmount, currency, mode, card, emv, paymentId, terminalId, type } = answer;
  const authorized = outcome === 'approved' ? majorUnits(parseAmount(approvedAmount ?? amount, currency)) : 0;
  const method = emv?.cvm && CVM_METHODS[Number.parseInt(emv.cvm.slice(0, 2), 16) & 0x3f];
  return {
    PaymentType: type === 'refund' ? 'Refund' : type === 'preauthorization' ? 'OneTimeReservation' : 'Normal',
    AmountsResp: { AuthorizedAmount: authorized, Currency: currency, ...partsOf(answer) },
    OnlineFlag: mode === 'online',
    ...(method && { AuthenticationMethod: [method] }),
    PaymentAcquirerData: {
      AcquirerPOIID: terminalId,
      MerchantID: merchantId,
      ...(paymentId !== undefined && {
        AcquirerTransactionID: { TransactionID: paymentId, TimeStamp: poiTransaction(answer).TimeStamp },
      }),
      // A deferred authorization and a card-approved one have no code of an issuer.
      ...(answer.approvalCode !== undefined && { ApprovalCode: answer.approvalCode }),
    },
    ...(card && {
      PaymentInstrumentData: { PaymentInstrumentType: 'Card', CardData: cardData(card, cardDetails) },
    }),
  };
}
