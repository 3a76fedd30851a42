import type { ResultCode } from './result-codes/result-codes.js';

/** Kinds of payments that can be referenced (reference §3); `PA.CP` is a preauthorization with its risk check and capture in it; a CB and
 * the CR that reverses it are made by the acquirer's word alone. */
export type ReferencedType = 'PA' | 'PA.CP' | 'DB' | 'CD' | 'CP' | 'RF' | 'RV' | 'RB' | 'RC' | 'CB' | 'CR';

/** Where a payment stands. */
export type PaymentState =
  /** The acquirer has not told yet. */
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

/** What can follow a payment; the last two are a PA with `referenceUuid` or by path, and an industry practice (spec 2.1, 2.7). */
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
const needsPa: Row = { otherwise: NEEDS_PA };
const noReceipt: Row = { otherwise: NO_RECEIPT };
const refundable: Row = {
  captured: 'allowed',
  completed: 'allowed',
  reversed: NO_REFUND,
  otherwise: UNSUITABLE,
};
const reversible: Row = { reversed: NO_REVERSAL, otherwise: 'allowed' };
const rebillable: Row = { ...refundable, reversed: USED_UP };
const receivable: Row = { captured: 'allowed', completed: 'allowed', otherwise: NO_RECEIPT };

/**
 * Which follow-up may come after which payment (reference §3): follow-up × type × state. Declined and pending payments are not
 * here: nothing follows them, see {@link STATE_REFUSALS}.
 */
export const LIFECYCLE: Readonly<Record<FollowUp, FollowUpRows>> = {
  CP: {
    PA: { authorized: 'allowed', captured: 'allowed', otherwise: NO_CAPTURE },
    'PA.CP': { otherwise: NO_CAPTURE },
    otherwise: needsPa,
  },
  RV: {
    RF: unsuitable,
    RV: unsuitable,
    RC: unsuitable,
    CB: unsuitable,
    CR: unsuitable,
    otherwise: reversible,
  },
  RF: {
    PA: refundable,
    'PA.CP': refundable,
    DB: refundable,
    CD: { reversed: NO_REFUND, otherwise: UNSUITABLE },
    CP: refundable,
    RB: refundable,
    RC: refundable,
    otherwise: unsuitable,
  },
  RB: {
    'PA.CP': rebillable,
    DB: rebillable,
    CP: rebillable,
    otherwise: unsuitable,
  },
  RC: {
    PA: { authorized: 'allowed', captured: 'allowed', otherwise: NO_RECEIPT },
    'PA.CP': receivable,
    DB: receivable,
    CP: receivable,
    RB: receivable,
    otherwise: noReceipt,
  },
  CD: {
    'PA.CP': rebillable,
    DB: rebillable,
    CP: rebillable,
    RB: rebillable,
    otherwise: unsuitable,
  },
  REAUTHORIZATION: {
    PA: { otherwise: 'allowed' },
    'PA.CP': { otherwise: 'allowed' },
    otherwise: unsuitable,
  },
  INCREMENTAL_AUTH: {
    PA: { authorized: 'allowed', otherwise: USED_UP },
    'PA.CP': { otherwise: USED_UP },
    otherwise: unsuitable,
  },
};

/** States that nothing follows, whatever the types. */
export const STATE_REFUSALS: Readonly<Partial<Record<PaymentState, ResultCode>>> = {
  pending: '700.400.570',
  declined: '700.300.200',
};

/** Code of a follow-up on an id that no payment has (reference §3); a payment of a foreign merchant is unknown too. */
export const UNKNOWN_REFERENCE: Readonly<Record<FollowUp, ResultCode>> = {
  CP: '700.400.510',
  RV: '700.400.530',
  RF: '600.200.500',
  RB: '700.100.100',
  RC: '700.400.560',
  CD: '700.100.100',
  REAUTHORIZATION: '200.300.404',
  INCREMENTAL_AUTH: '200.300.404',
};

/** How much a follow-up may move, and the code of a breach. */
interface AmountRule {
  /** `up-to`: any amount to the limit. `whole`: all that is left, and no other amount. `free`: no limit. */
  readonly kind: 'up-to' | 'whole' | 'free';
  readonly above: ResultCode;
}

/** Amount rules (spec 2.1, reference §3); what the limit is, the decision counts. */
export const AMOUNT_RULES: Readonly<Record<FollowUp, AmountRule>> = {
  CP: { kind: 'up-to', above: NO_CAPTURE },
  RV: { kind: 'whole', above: NO_REVERSAL },
  RF: { kind: 'up-to', above: NO_REFUND },
  RB: { kind: 'free', above: '700.100.300' },
  RC: { kind: 'free', above: '700.100.300' },
  CD: { kind: 'free', above: '700.100.300' },
  REAUTHORIZATION: { kind: 'free', above: '700.100.300' },
  INCREMENTAL_AUTH: { kind: 'free', above: '700.100.300' },
};

/** How long after a payment a follow-up may come. */
interface FollowUpWindow {
  readonly ms: number;
  /** Types of payment for which another time counts. */
  readonly of?: Readonly<Partial<Record<ReferencedType, number>>>;
  /** The code after that. */
  readonly late: ResultCode;
}

/** How long an authorization holds its money, and may be captured or set free. */
const AUTHORIZATION_LIFE_MS = 30 * 86_400_000;
/** How long money that was recorded may be unrecorded; after that it is refunded. */
const CUT_OFF_MS = 72 * 3_600_000;

/** The windows of follow-ups: our choice, where the specification names none. */
export const WINDOWS: Readonly<Partial<Record<FollowUp, FollowUpWindow>>> = {
  CP: { ms: AUTHORIZATION_LIFE_MS, late: '700.300.400' },
  RV: { ms: CUT_OFF_MS, of: { PA: AUTHORIZATION_LIFE_MS }, late: '700.300.700' },
};

/** Situations beside type and state in which a follow-up is refused, in the order in which they are looked at. */
export const SITUATIONS = {
  /** Another follow-up runs on the same payment. */
  busy: '800.700.100',
  'channel-differs': '700.400.700',
  'mode-differs': '700.100.600',
  'currency-differs': '700.100.500',
  'brand-differs': '700.100.400',
  'charged-back': '700.300.600',
  /** Another `lifecycleId` than that of the payment (spec 2.1). */
  'lifecycle-differs': '700.100.710',
  /** Enough captures, or one with `sequence=FINAL`. */
  'captures-closed': NO_CAPTURE,
  /** A refund with `sequence=FINAL` was the last. */
  'refunds-closed': NO_REFUND,
  'amount-missing': '100.550.300',
  'amounts-differ': '100.550.701',
} as const satisfies Readonly<Record<string, ResultCode>>;

/** The cell of the table. */
export function lifecycleCell(followUp: FollowUp, type: ReferencedType, state: PaymentState): Cell {
  const rows = LIFECYCLE[followUp];
  const row = rows[type] ?? rows.otherwise;
  return STATE_REFUSALS[state] ?? row[state] ?? row.otherwise;
}
