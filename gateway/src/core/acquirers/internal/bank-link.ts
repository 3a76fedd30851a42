import type { Money } from '@tillbridge/wire/payment/money.js';
import type { AcquirerRedirect } from '../acquirer.js';

/** What the customer of the simulated bank is to approve. */
export interface BankPayment {
  /** The acquirer reference: the same again is the same payment. */
  readonly reference: string;
  readonly amount: Money;
  /** `paymentBrand`: the bank or wallet. */
  readonly brand: string;
  /** Where the customer goes back to. */
  readonly returnUrl: string;
}

/** What has become of a payment at the bank. */
export type BankOutcome = 'open' | 'approved' | 'refused' | 'cancelled';

/** The way to the simulated bank. Every call may be repeated. */
export interface BankLink {
  /** Makes the payment known. @returns where its customer decides. @throws AcquirerUnreachableError */
  begin(payment: BankPayment): Promise<AcquirerRedirect>;
  /** @throws AcquirerUnreachableError */
  outcome(reference: string): Promise<BankOutcome>;
  /** Ends a payment that is still open. @returns how it stands then. @throws AcquirerUnreachableError */
  cancel(reference: string): Promise<BankOutcome>;
}
