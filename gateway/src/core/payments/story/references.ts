import type { IntentRow, PaymentRow } from '../../../kernel/store/rows.js';
import { detailOf } from '../rules/intent-detail.js';

/** References of a payment at the acquirer. */
export function referencesOfPayment({ acquirerReference, captureReference }: PaymentRow): readonly string[] {
  return [acquirerReference, captureReference].filter((each) => each !== null);
}

/** References of a request at the acquirer, with those of what sets it free again. */
export function referencesOfIntent(intent: IntentRow): readonly string[] {
  const { fenceReference, followUp } = detailOf(intent);
  return [intent.id, fenceReference, ...(followUp?.release ? [followUp.release.acquirerReference] : [])];
}
