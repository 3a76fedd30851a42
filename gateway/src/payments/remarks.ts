import type { PaymentRow } from '../store/rows.js';

/** What was said of a payment beside its codes (spec 2.10). */
export interface Remarks {
  /** What the issuer said to the billing address: A, Z, N, U or F. */
  readonly avsResponse?: string;
  /** What the issuer said to the card verification value. */
  readonly cvvResponse?: string;
  /** Score of the risk check, where there was one. */
  readonly riskScore?: number;
  /** Id under which the payment details are kept for later payments. */
  readonly registrationId?: string;
  /** A refund of it was the last (`sequence=FINAL`, spec 2.1). */
  readonly refundsClosed?: boolean;
}

/** Reads the column that {@link remarksColumn} wrote. */
export function remarksOf({ answer }: Pick<PaymentRow, 'answer'>): Remarks {
  return JSON.parse(answer) as Remarks;
}

/** The column of a payment that holds its remarks; what is undefined is left out. */
export function remarksColumn(
  remarks: { readonly [Name in keyof Remarks]: Remarks[Name] | undefined },
): Pick<PaymentRow, 'answer'> {
  return { answer: JSON.stringify(remarks) };
}
