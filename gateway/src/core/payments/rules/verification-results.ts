import { parsedColumn } from '../../../kernel/store/parsed-column.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { AcquirerPayee, AcquirerRedirect } from '../../acquirers/acquirer.js';

/** The verification results of a payment. */
export interface VerificationResults {
  /** AVS result of the billing address: A, Z, N, U or F. */
  readonly avsResponse?: string;
  /** CVV result. */
  readonly cvvResponse?: string;
  /** Score of the risk check, where there was one. */
  readonly riskScore?: number;
  /** Id under which the payment details are kept for later payments. */
  readonly registrationId?: string;
  /** The payment has made it. */
  readonly registrationIsNew?: boolean;
  /** The merchant's account that the money goes to. */
  readonly payee?: AcquirerPayee;
  /** What is left on a gift card, in minor units of the payment's currency. */
  readonly balanceMinor?: number;
  /** Further facts of the acquirer's answer, by names of `resultDetails`. */
  readonly acquirerDetails?: Readonly<Record<string, string>>;
  /** Where the shopper of a payment that waits is sent. */
  readonly redirect?: AcquirerRedirect;
  /** What the payments that repeat this one refer to it by (docs/card-on-file.md). */
  readonly initialTransactionId?: string;
  readonly agreementId?: string;
  /** Which field was refused and why. */
  readonly extendedDescription?: string;
  /** A refund of it was the last (`sequence=FINAL`). */
  readonly refundsClosed?: boolean;
}

/** Reads the column that {@link verificationColumn} wrote. */
export const verificationResultsOf = parsedColumn<'answer', VerificationResults>('answer');

/** The column of a payment that holds its verificationResults; what is undefined is left out. */
export function verificationColumn(
  verificationResults: {
    readonly [Name in keyof VerificationResults]: VerificationResults[Name] | undefined;
  },
): Pick<PaymentRow, 'answer'> {
  return { answer: JSON.stringify(verificationResults) };
}
