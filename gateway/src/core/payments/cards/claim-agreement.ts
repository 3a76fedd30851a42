import { isOtherCard } from '../../../kernel/store/claim-agreement.js';
import type { AgreementRow } from '../../../kernel/store/rows.js';
import type { ClaimAgreement, Store } from '../../../kernel/store/store.js';
import {
  type AgreementBreach,
  agreementRow,
  type ClaimedBy,
  type NewAgreement,
  OTHER_CARD,
} from '../instruments/agreements.js';

/**
 * The change that claims a reference for a card before money moves; undefined where another card has the reference, or a payment with it is
 * under way. Its commit conflicts on `agreements.card` where another card is faster.
 * @throws StoreUnavailableError
 */
export async function claimAgreement(
  store: Pick<Store, 'get'>,
  agreement: NewAgreement,
  [reference, state]: readonly [reference: string, state: AgreementRow['state']],
  by: ClaimedBy,
): Promise<ClaimAgreement | undefined> {
  const row = agreementRow(agreement, reference, state, by);
  const claim = { op: 'claim-agreement', row, otherwise: 'conflict' } as const;
  const stored = await store.get('agreements', [agreement.merchantId, reference]);
  if (!stored || !isOtherCard(stored, agreement)) return claim;
  if (stored.state === 'made') return undefined;
  const payment = await store.get('payments', [stored.paymentId]);
  return payment?.state === 'declined' ? { ...claim, instead: stored.paymentId } : undefined;
}

/**
 * The change that holds the agreement id of a first payment for its card while the payment is under way, or why the payment is refused.
 * Without an agreement id there is nothing to hold.
 * @throws StoreUnavailableError
 */
export async function holdAgreement(
  store: Pick<Store, 'get'>,
  agreement: NewAgreement | undefined,
  by: ClaimedBy,
): Promise<{ readonly changes: readonly ClaimAgreement[]; readonly refusal?: AgreementBreach }> {
  const { agreementId } = agreement?.standing ?? {};
  if (!agreement || agreementId === undefined) return { changes: [] };
  const claim = await claimAgreement(store, agreement, [agreementId, 'held'], by);
  return claim ? { changes: [claim] } : { changes: [], refusal: OTHER_CARD };
}
