import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { PaymentRequest } from '../rules/requests.js';

/** The channel is not set up for this payment type; the amount is above the merchant's limit. */
const UNLINKED_REFUND = { resultCode: '600.200.202', responseCode: '58' } as const;
const ABOVE_CEILING = { resultCode: '800.100.164', responseCode: '61' } as const;

/** How the store's policy refuses a payment; undefined where it allows it. Pure. An offline sale has taken place: its limits are others. */
export function policyRefusal(
  { origin, type, amount, offline }: PaymentRequest,
  { unlinkedRefunds = false, ceilings = {} }: StorePolicy,
): typeof UNLINKED_REFUND | typeof ABOVE_CEILING | undefined {
  if (offline) return undefined;
  // Over REST a credit is a payment type of the specification.
  if (type === 'CD' && origin.kind === 'bridge' && !unlinkedRefunds) return UNLINKED_REFUND;
  const ceiling = Object.hasOwn(ceilings, amount.currency) ? ceilings[amount.currency] : undefined;
  return ceiling !== undefined && amount.minor > ceiling ? ABOVE_CEILING : undefined;
}
