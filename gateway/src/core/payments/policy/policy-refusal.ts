import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { PaymentRequest } from '../rules/requests.js';

/** The channel is not set up for this payment type; the amount is above the merchant's limit. */
const UNLINKED_REFUND = { resultCode: '600.200.202', responseCode: '58' } as const;
const ABOVE_CEILING = { resultCode: '800.100.164', responseCode: '61' } as const;
/** The same of a tip or cash back that the store does not allow. */
const PART_NOT_ALLOWED = UNLINKED_REFUND;

type PolicyRefusal = typeof UNLINKED_REFUND | typeof ABOVE_CEILING;

/** How the store's policy refuses a payment; undefined where it allows it. Pure. An offline sale has taken place: its limits are others. */
export function policyRefusal(request: PaymentRequest, policy: StorePolicy): PolicyRefusal | undefined {
  const { origin, type, amount, offline } = request;
  const { unlinkedRefunds = false, ceilings = {} } = policy;
  if (offline) return undefined;
  // Over REST a credit is a payment type of the specification.
  if (type === 'CD' && origin.kind === 'bridge' && !unlinkedRefunds) return UNLINKED_REFUND;
  const ceiling = Object.hasOwn(ceilings, amount.currency) ? ceilings[amount.currency] : undefined;
  if (ceiling !== undefined && amount.minor > ceiling) return ABOVE_CEILING;
  return partRefusal(request, policy);
}

/** Of tip and cash back, which are parts of the amount. */
function partRefusal(
  { amount, tip, cashBack }: PaymentRequest,
  { maxTipPercent = 0, cashBack: limits = {} }: StorePolicy,
): PolicyRefusal | undefined {
  if (tip) {
    const purchase = amount.minor - tip.minor - (cashBack?.minor ?? 0);
    if (maxTipPercent === 0) return PART_NOT_ALLOWED;
    if (tip.minor * 100 > purchase * maxTipPercent) return ABOVE_CEILING;
  }
  if (!cashBack) return undefined;
  const limit = Object.hasOwn(limits, amount.currency) ? limits[amount.currency] : undefined;
  if (limit === undefined) return PART_NOT_ALLOWED;
  return cashBack.minor > limit ? ABOVE_CEILING : undefined;
}
