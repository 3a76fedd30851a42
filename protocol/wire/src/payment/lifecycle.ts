import type { ResultCode } from './result-codes/result-codes.js';

/** paymentTypes that need no earlier payment (gateway/docs/payments.md). */
export const NEW_TYPES = ['PA', 'DB', 'CD', 'PA.CP'] as const;

/** Those that bring money from the shopper. */
export const FROM_SHOPPER: ReadonlySet<string> = new Set(['PA', 'DB', 'PA.CP']);

/** Types of payments as they are stored; a CB and the CR that reverses it are made by the acquirer's word alone. */
export const STORED_TYPES = ['PA', 'DB', 'CD', 'CP', 'RF', 'RV', 'RB', 'RC', 'CB', 'CR'] as const;

/** A type of {@link STORED_TYPES}. */
type StoredType = (typeof STORED_TYPES)[number];

/** Kinds of payments that can be referenced; `PA.CP` is a preauthorization with its risk check and capture in it. */
export type ReferencedType = StoredType | 'PA.CP';

/** Where a payment stands. */
export type PaymentState =
  /** The acquirer has not answered yet. */
  | 'pending'
  /** A PA holds the money. */
  | 'authorized'
  /** Some or all of it was taken: a PA with a capture, a PA.CP, a DB, an RB. */
  | 'captured'
  /** A CD was paid out. */
  | 'credited'
  /** A CP, RF, RV or RC did its work. */
  | 'completed'
  | 'declined'
  /** Nothing is left of it. */
  | 'reversed';

/** What can follow a payment; the last two are a PA with `referenceUuid` or by path, and an industry practice. */
export type FollowUp = 'CP' | 'RV' | 'RF' | 'RB' | 'RC' | 'CD' | 'REAUTHORIZATION' | 'INCREMENTAL_AUTH';

/** May it follow, or with which code is it refused? */
type Cell = 'allowed' | ResultCode;

/** A cell per state; a state that is not named has the cell of `otherwise`. */
type Row = Readonly<Partial<Record<PaymentState, Cell>>> & { readonly otherwise: Cell };

/** A row per type of the payment; a type that is not named has the row of `otherwise`. */
type FollowUpRows = Readonly<Partial<Record<ReferencedType, Row>>> & { readonly otherwise: Row };

/** Code of a reference that cannot be followed so. */
export const UNSUITABLE = '700.300.100';
const USED_UP = '700.300.300';
const NEEDS_PA = '700.400.510';
const NO_CAPTURE = '700.400.100';
const NO_REFUND = '700.400.200';
/** Code of what cannot be reversed. */
export const NO_REVERSAL = '700.400.300';
const NO_RECEIPT = '700.400.560';

const unsuitable: Row = { otherwise: UNSUITABLE };
const usedUp: Row = { otherwise: USED_UP };
const refundable: Row = {
  captured: 'allowed',
  completed: 'allowed',
  reversed: NO_REFUND,
  otherwise: UNSUITABLE,
};
const reversible: Row = { reversed: NO_REVERSAL, otherwise: 'allowed' };
const rebillable: Row = { ...refundable, reversed: USED_UP };
const receivable: Row = { captured: 'allowed', completed: 'allowed', otherwise: NO_RECEIPT };

/** How much a follow-up may move, and the code of a breach; what the limit is, the decision counts. */
interface AmountRule {
  /** Up to what can be captured or refunded; all that is left, and no other amount; no limit. */
  readonly kind: 'capturable' | 'refundable' | 'whole' | 'free';
  readonly above: ResultCode;
}

/** How long after a payment a follow-up may come: our choice, where the specification names none. */
interface FollowUpWindow {
  readonly ms: number;
  /** Types of payment for which another time counts. */
  readonly of?: Readonly<Partial<Record<ReferencedType, number>>>;
  /** The code after that. */
  readonly late: ResultCode;
}

/** How long an authorization holds its money, and may be captured or set free. */
export const AUTHORIZATION_LIFE_MS = 30 * 86_400_000;
/** How long money that was recorded may be unrecorded; after that it is refunded. */
const CUT_OFF_MS = 72 * 3_600_000;

const free = { kind: 'free', above: '700.100.300' } as const;

/** The API's rules of a follow-up. */
interface FollowUpRow {
  /** paymentType of the request, and of the payment that it makes; of an industry practice that of a preauthorization. */
  readonly type: StoredType;
  /** After which payment it may come. Declined and pending payments are not here: nothing follows them. */
  readonly after: FollowUpRows;
  /** Other rows where a till reverses its own message, whose answer may be lost. */
  readonly afterOwnMessage?: Partial<FollowUpRows>;
  /** Code of an id that no payment has; a payment of a foreign merchant is unknown too. */
  readonly unknown: ResultCode;
  readonly amount: AmountRule;
  /** Absent: at any time. */
  readonly window?: FollowUpWindow;
}

/**
 * A row for each follow-up: the API's rules of it. What it does to payments and requests from the acquirer is a row of the gateway
 * (`core/payments/rules/follow-up-rows.ts`).
 */
export const LIFECYCLE: Readonly<Record<FollowUp, FollowUpRow>> = {
  CP: {
    type: 'CP',
    after: {
      PA: { authorized: 'allowed', captured: 'allowed', otherwise: NO_CAPTURE },
      'PA.CP': { otherwise: NO_CAPTURE },
      otherwise: { otherwise: NEEDS_PA },
    },
    unknown: '700.400.510',
    amount: { kind: 'capturable', above: NO_CAPTURE },
    window: { ms: AUTHORIZATION_LIFE_MS, late: '700.300.400' },
  },
  RV: {
    type: 'RV',
    after: {
      RF: unsuitable,
      RV: unsuitable,
      RC: unsuitable,
      CB: unsuitable,
      CR: unsuitable,
      otherwise: reversible,
    },
    afterOwnMessage: { RF: reversible },
    unknown: '700.400.530',
    amount: { kind: 'whole', above: NO_REVERSAL },
    window: { ms: CUT_OFF_MS, of: { PA: AUTHORIZATION_LIFE_MS }, late: '700.300.700' },
  },
  RF: {
    type: 'RF',
    after: {
      PA: refundable,
      'PA.CP': refundable,
      DB: refundable,
      CD: { reversed: NO_REFUND, otherwise: UNSUITABLE },
      CP: refundable,
      RB: refundable,
      RC: refundable,
      otherwise: unsuitable,
    },
    unknown: '600.200.500',
    amount: { kind: 'refundable', above: NO_REFUND },
  },
  RB: {
    type: 'RB',
    after: { 'PA.CP': rebillable, DB: rebillable, CP: rebillable, otherwise: unsuitable },
    unknown: '700.100.100',
    amount: free,
  },
  RC: {
    type: 'RC',
    after: {
      PA: { authorized: 'allowed', captured: 'allowed', otherwise: NO_RECEIPT },
      'PA.CP': receivable,
      DB: receivable,
      CP: receivable,
      RB: receivable,
      otherwise: { otherwise: NO_RECEIPT },
    },
    unknown: '700.400.560',
    amount: free,
  },
  CD: {
    type: 'CD',
    after: { 'PA.CP': rebillable, DB: rebillable, CP: rebillable, RB: rebillable, otherwise: unsuitable },
    unknown: '700.100.100',
    amount: free,
  },
  REAUTHORIZATION: {
    type: 'PA',
    after: { PA: { otherwise: 'allowed' }, 'PA.CP': { otherwise: 'allowed' }, otherwise: unsuitable },
    unknown: '200.300.404',
    amount: free,
  },
  INCREMENTAL_AUTH: {
    type: 'PA',
    after: { PA: { authorized: 'allowed', otherwise: USED_UP }, 'PA.CP': usedUp, otherwise: unsuitable },
    unknown: '200.300.404',
    amount: free,
  },
};

/** Every follow-up. */
export const FOLLOW_UPS = Object.keys(LIFECYCLE) as readonly FollowUp[];

/** States that nothing follows, whatever the types. */
export const STATE_REFUSALS: Readonly<Partial<Record<PaymentState, ResultCode>>> = {
  pending: '700.400.570',
  declined: '700.300.200',
};

/** Reasons other than type and state to refuse a follow-up, in the order of the checks. */
export const SITUATIONS = {
  /** Another follow-up runs on the same payment. */
  busy: '800.700.100',
  'channel-differs': '700.400.700',
  'mode-differs': '700.100.600',
  'currency-differs': '700.100.500',
  'brand-differs': '700.100.400',
  'charged-back': '700.300.600',
  /** Another `lifecycleId` than that of the payment. */
  'lifecycle-differs': '700.100.710',
  /** Enough captures, or one with `sequence=FINAL`. */
  'captures-closed': NO_CAPTURE,
  /** A refund with `sequence=FINAL` was the last. */
  'refunds-closed': NO_REFUND,
  'amount-missing': '100.550.300',
  'amounts-differ': '100.550.701',
} as const satisfies Readonly<Record<string, ResultCode>>;

/** The cell of the table. @param isOwnMessage a till reverses its own message */
export function lifecycleCell(
  followUp: FollowUp,
  type: ReferencedType,
  state: PaymentState,
  isOwnMessage = false,
): Cell {
  const { after, afterOwnMessage } = LIFECYCLE[followUp];
  const row = (isOwnMessage && afterOwnMessage?.[type]) || (after[type] ?? after.otherwise);
  return STATE_REFUSALS[state] ?? row[state] ?? row.otherwise;
}
