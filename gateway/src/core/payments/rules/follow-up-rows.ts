import { FOLLOW_UPS, LIFECYCLE } from '@tillbridge/wire/payment/lifecycle.js';
import type { TokenRight } from '../../../kernel/api/token-rights.js';
import type { AcquirerRequestKind } from '../../acquirers/request-kinds.js';
import type { FollowUpType, PaymentType } from './requests.js';

/** What is paid, as a settlement record and a report name it (docs/reconciliation.md). */
const SETTLED_AS = ['DEBIT', 'REFUND', 'CREDIT'] as const;

/** What a follow-up requests from the acquirer, and what it does to payments. */
interface FollowUpRow {
  /** The kind of its acquirer request. */
  readonly request: AcquirerRequestKind;
  /** The issuer decides again, with the card of the payment that is followed. */
  readonly withCard?: true;
  /** It is a payment on its own: with amounts, and followed on its own. */
  readonly own?: true;
  /** What it changes of the payment at the root; absent: nothing. */
  readonly effect?: 'captures' | 'refunds' | 'reverses' | 'adds';
  /** State and amounts of an approved one; what is captured or collected has taken its amount. */
  readonly becomes: 'authorized' | 'captured' | 'credited' | 'collected' | 'completed';
  /** The right that it needs; absent: any. */
  readonly right?: TokenRight;
  readonly settledAs: (typeof SETTLED_AS)[number];
}

const ON_CARD = { withCard: true, own: true } as const;

/**
 * A row for each follow-up: its acquirer request, its effect on payments, right, settlement. Its API rule is a row of LIFECYCLE. A
 * reversal takes any right: a client that may pay must be able to reverse a payment whose outcome got lost.
 */
export const FOLLOW_UP_ROWS: Readonly<Record<FollowUpType, FollowUpRow>> = {
  CP: { request: 'capture', effect: 'captures', becomes: 'collected', right: 'pay', settledAs: 'DEBIT' },
  RV: { request: 'reversal', effect: 'reverses', becomes: 'completed', settledAs: 'REFUND' },
  // Bounded by its sale.
  RF: { request: 'refund', effect: 'refunds', becomes: 'completed', right: 'refund', settledAs: 'REFUND' },
  RB: { ...ON_CARD, request: 'authorization', becomes: 'captured', right: 'pay', settledAs: 'DEBIT' },
  // Its money came in another way, and no card brought it.
  RC: { own: true, request: 'receipt', becomes: 'collected', settledAs: 'DEBIT' },
  // Bounded by nothing.
  CD: { ...ON_CARD, request: 'credit', becomes: 'credited', right: 'credit', settledAs: 'CREDIT' },
  REAUTHORIZATION: {
    ...ON_CARD,
    request: 'authorization',
    becomes: 'authorized',
    right: 'pay',
    settledAs: 'DEBIT',
  },
  // The root holds its amount: nothing follows it on its own.
  INCREMENTAL_AUTH: {
    withCard: true,
    request: 'increment',
    effect: 'adds',
    becomes: 'completed',
    right: 'pay',
    settledAs: 'DEBIT',
  },
};

/** The payments that stand on their own, by the same columns. */
const NEW_PAYMENT_ROWS: Readonly<Record<PaymentType, Omit<FollowUpRow, 'request'>>> = {
  PA: { becomes: 'authorized', right: 'pay', settledAs: 'DEBIT' },
  'PA.CP': { becomes: 'captured', right: 'pay', settledAs: 'DEBIT' },
  DB: { becomes: 'captured', right: 'pay', settledAs: 'DEBIT' },
  CD: { becomes: 'credited', right: 'credit', settledAs: 'CREDIT' },
};

/** The rows of both tables by paymentType, which two industry practices share with a preauthorization. */
export const ROWS_BY_TYPE = new Map<string, Omit<FollowUpRow, 'request'>>([
  ...FOLLOW_UPS.map((name) => [LIFECYCLE[name].type, FOLLOW_UP_ROWS[name]] as const),
  ...Object.entries(NEW_PAYMENT_ROWS),
]);

/** The follow-up that a payment of this type is which names another by `referenceUuid` and brings no card: on the other's card it becomes the same. */
export function followUpOnCard(paymentType: string): FollowUpType | undefined {
  const becomes = ROWS_BY_TYPE.get(paymentType)?.becomes;
  return FOLLOW_UPS.find((name) => {
    const row = FOLLOW_UP_ROWS[name];
    return row.withCard && row.own && row.becomes === becomes;
  });
}

/** Industry practices that make a preauthorization follow an earlier one (docs/card-on-file.md). */
export const PRACTICES = FOLLOW_UPS.filter((name) => LIFECYCLE[name].type !== name);

/** Whether a transaction type of a settlement record is that of a payment, and no fee. */
export function isSettledAs(transactionType: string): boolean {
  return SETTLED_AS.some((each) => each === transactionType);
}

/** Whether a follow-up, or a payment of the type, reverses another. */
export function isReversal(type: string): boolean {
  return ROWS_BY_TYPE.get(type)?.effect === 'reverses';
}
