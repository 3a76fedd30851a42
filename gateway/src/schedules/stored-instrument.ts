import { verificationResultsOf } from '../payments/decide/verification-results.js';
import { findAll } from '../store/all-rows.js';
import type { PaymentRow } from '../store/rows.js';
import type { Store } from '../store/store.js';

/** What a schedule pays with, by its id: a registration, or an earlier payment. */
export type InstrumentName =
  | { readonly by: 'registration'; readonly registrationId: string }
  | { readonly by: 'payment'; readonly paymentId: string };

/** A card that is kept, and the payment that it was kept with. */
export interface StoredInstrument {
  readonly entityId: string;
  readonly vaultId: string;
  /** The payment that the runs refer to. */
  readonly referencedId: string;
  /** The network's id of the first payment of an agreement. */
  readonly initialTransactionId?: string;
}

/** The card that a schedule names; undefined where none is kept under the id. @throws StoreUnavailableError */
export async function storedInstrument(
  store: Pick<Store, 'get' | 'find'>,
  name: InstrumentName,
): Promise<StoredInstrument | undefined> {
  const payment =
    name.by === 'payment'
      ? await store.get('payments', [name.paymentId])
      : await registeringPayment(store, name.registrationId);
  if (!payment || payment.vaultId === null || payment.state === 'declined') return undefined;
  const { initialTransactionId } = verificationResultsOf(payment);
  return {
    entityId: payment.entityId,
    vaultId: payment.vaultId,
    referencedId: payment.id,
    ...(initialTransactionId !== undefined && { initialTransactionId }),
  };
}

/** The payment that registered a card: the id of the registration is that of its row in the vault. */
async function registeringPayment(
  store: Pick<Store, 'get' | 'find'>,
  registrationId: string,
): Promise<PaymentRow | undefined> {
  const payments = await findAll(store, 'payments', 'vault', [registrationId]);
  return payments.find((payment) => verificationResultsOf(payment).registrationId === registrationId);
}
