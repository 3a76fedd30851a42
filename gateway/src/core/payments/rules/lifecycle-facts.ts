import type { FollowedPayment } from '@tillbridge/wire/payment/decide-follow-up.js';
import type { ReferencedType } from '@tillbridge/wire/payment/lifecycle.js';
import type { Echo } from '../../../kernel/api/echo.js';
import { parsedColumn } from '../../../kernel/store/parsed-column.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { verificationResultsOf } from './verification-results.js';

/** Type of a payment in the API and the lifecycle: a preauthorization with its own capture is a PA.CP. */
export function paymentTypeOf({
  type,
  captureReference,
}: Pick<PaymentRow, 'type' | 'captureReference'>): ReferencedType {
  return type === 'PA' && captureReference !== null ? 'PA.CP' : type;
}

/** A payment as input of the lifecycle rules. */
export function followedPayment(payment: PaymentRow): FollowedPayment {
  const { refundsClosed = false } = verificationResultsOf(payment);
  return { ...payment, type: paymentTypeOf(payment), refundsClosed };
}

/** The lifecycle that a request or payment belongs to. */
export function lifecycleIdOf(echo: Echo): string | undefined {
  return typeof echo.lifecycleId === 'string' ? echo.lifecycleId : undefined;
}

/** Whether the merchant claims that all of it was charged back (docs/chargebacks.md): the acquirer reported it to the merchant, not to the gateway. */
export function isChargebackClaimed(payment: PaymentRow): boolean {
  return echoOf(payment).chargebackResultCode !== undefined;
}

/** The parameters that answers on the payment repeat. */
export const echoOf = parsedColumn<'echo', Echo>('echo');
