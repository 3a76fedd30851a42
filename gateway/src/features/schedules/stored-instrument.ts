import { type HeldAgreement, heldAgreement } from '../../core/payments/registrations/held-agreement.js';
import { verificationResultsOf } from '../../core/payments/rules/verification-results.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** What a schedule pays with, by its id: a registration, or an earlier payment. */
export type InstrumentName =
  | { readonly by: 'registration'; readonly registrationId: string }
  | { readonly by: 'payment'; readonly paymentId: string };

/** A means of payment that is kept, and the payment that it was kept with. */
export interface StoredInstrument {
  readonly entityId: string;
  /** The registration, or the row of the vault with the card of a payment. */
  readonly vaultId: string;
  /** The payment that the runs refer to; absent where the registration was made without one. */
  readonly referencedId?: string;
  /** The agreement that the cardholder began with it; a mandate of a bank account is one. */
  readonly agreement?: HeldAgreement;
}

/** The means of payment that a schedule names; undefined where none is kept under the id. @throws StoreUnavailableError */
export async function storedInstrument(
  store: Pick<Store, 'get'>,
  name: InstrumentName,
): Promise<StoredInstrument | undefined> {
  if (name.by === 'payment') {
    const payment = await store.get('payments', [name.paymentId]);
    if (!payment || payment.vaultId === null || payment.state === 'declined') return undefined;
    return { entityId: payment.entityId, vaultId: payment.vaultId, ...referenceOf(payment) };
  }
  const registration = await store.get('registrations', [name.registrationId]);
  if (registration?.state !== 'active') return undefined;
  const { id: vaultId, entityId, paymentId, kind } = registration;
  const payment = paymentId === null ? undefined : await store.get('payments', [paymentId]);
  const agreement = heldAgreement(registration) ?? (kind === 'bank-account' ? {} : undefined);
  return { entityId, vaultId, ...(payment && referenceOf(payment)), ...(agreement && { agreement }) };
}

/** The payment that runs refer to, and its agreement. */
function referenceOf(payment: PaymentRow): Pick<StoredInstrument, 'referencedId' | 'agreement'> {
  const { initialTransactionId } = verificationResultsOf(payment);
  return {
    referencedId: payment.id,
    ...(initialTransactionId !== undefined && { agreement: { initialTransactionId } }),
  };
}
