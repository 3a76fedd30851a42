/** What is known of a kind of request, whichever acquirer it goes to. */
interface RequestKindRow {
  /** It names an earlier request, and has its own amount. */
  readonly follows?: true;
  /** The issuer decides on it. */
  readonly needsIssuer?: true;
  /** The kind of an acquirer's own record that it is listed as; absent: its own. */
  readonly recordedAs?: 'authorization' | 'advice';
  /** What an approved one moves between acquirer and merchant; absent: nothing, or the amount of its entry. */
  readonly moves?: 'debit' | 'refund' | 'credit';
  /** What the acquirer takes for it, whatever became of it (docs/reconciliation.md). */
  readonly fee?: 'AUTH_FEE' | 'CAPTURE_FEE' | 'CANCEL_FEE' | 'REFUND_FEE';
}

/** A row for each kind of request to an acquirer. */
const ROWS = {
  authorization: { needsIssuer: true, fee: 'AUTH_FEE' },
  capture: { follows: true, moves: 'debit', fee: 'CAPTURE_FEE' },
  refund: { follows: true, moves: 'refund', fee: 'REFUND_FEE' },
  /** It names no amount. */
  reversal: { fee: 'CANCEL_FEE' },
  /** More money on a standing authorization; the issuer decides again. */
  increment: { follows: true, needsIssuer: true, recordedAs: 'authorization', fee: 'AUTH_FEE' },
  /** Money that came in another way for an earlier transaction: a notification without a decision (docs/waiting-payments.md). */
  receipt: { follows: true, recordedAs: 'advice', moves: 'debit' },
  /** A sale that the card approved offline: an advice, which may still be declined late. */
  advice: { needsIssuer: true, moves: 'debit' },
  /** Money to the shopper without an earlier sale. */
  credit: { needsIssuer: true, moves: 'credit' },
} as const satisfies Readonly<Record<string, RequestKindRow>>;

/** The requests of an acquirer. */
export type AcquirerRequestKind = keyof typeof ROWS;

/** The rows by kind. */
export const REQUEST_KINDS: Readonly<Record<AcquirerRequestKind, RequestKindRow>> = ROWS;
