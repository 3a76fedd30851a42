import { formatAmount } from '@tillbridge/protocol/payment/money.js';
import type { PaymentRow } from '../../store/rows.js';

/** The payment part of an answer (spec 2.10). Result and envelope are added by the caller. */
export function paymentView(payment: PaymentRow): Record<string, unknown> {
  const { id, type, brand, currency, approvalCode, responseCode, terminalId, iccDataResponse } = payment;
  const details = {
    ...(approvalCode !== null && { AuthCode: approvalCode }),
    ...(responseCode !== null && { AcquirerResponse: responseCode }),
    ...(payment.acquirerReference !== null && { ConnectorTxID1: payment.acquirerReference }),
  };
  const card = cardView(payment);
  return {
    id,
    paymentType: type,
    ...(brand !== null && { paymentBrand: brand }),
    ...(currency !== '' && { amount: formatAmount({ minor: payment.amountMinor, currency }), currency }),
    ...(JSON.parse(payment.echo) as Record<string, string>),
    ...(Object.keys(details).length > 0 && { resultDetails: details }),
    ...(card && { card }),
    ...(terminalId !== null && iccDataResponse !== null && { pos: { iccDataResponse } }),
  };
}

function cardView({ bin, last4Digits, holder, expiryMonth, expiryYear }: PaymentRow) {
  if (bin === null && last4Digits === null) return undefined;
  return {
    ...(bin !== null && { bin }),
    ...(last4Digits !== null && { last4Digits }),
    ...(holder !== null && { holder }),
    ...(expiryMonth !== null && { expiryMonth }),
    ...(expiryYear !== null && { expiryYear }),
  };
}
