import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { currencyDigits } from '@tillbridge/wire/payment/currency-codes.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { addPresent } from '@tillbridge/wire/present.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { isReversal } from './follow-up-rows.js';
import type { Disposition, PaymentResult } from './requests.js';
import { verificationResultsOf } from './verification-results.js';

/** The result that a recorded payment stands for. */
export function resultOf(
  payment: PaymentRow,
  disposition: Disposition = dispositionOf(payment),
): PaymentResult {
  const { resultCode, description, id: paymentId, amountMinor: minor, currency } = payment;
  const { approvalCode, responseCode, iccDataResponse, brand } = payment;
  const result: PaymentResult = {
    disposition,
    resultCode,
    description,
    paymentId,
    amount: { minor, currency },
  };
  // What the issuer reported with its decision.
  const { AvailableBalance, CashBackAmount } = verificationResultsOf(payment).acquirerDetails ?? {};
  addPresent(result, {
    approvalCode,
    responseCode,
    iccDataResponse: iccDataResponse === null ? undefined : fromHex(iccDataResponse),
    brand,
    availableBalance: reportedAmount(AvailableBalance),
    cashBack: reportedAmount(CashBackAmount),
  });
  return result;
}

/** An amount of `resultDetails`, such as `12.34 EUR`; undefined for a text of another form, which a host's own field may have. */
function reportedAmount(text: string | undefined): Money | undefined {
  if (text === undefined) return undefined;
  const [, sign, units, decimals = '', currency] = /^(-?)(\d+)(?:\.(\d+))? ([A-Z]{3})$/.exec(text) ?? [];
  if (units === undefined || currency === undefined) return undefined;
  const minor = Number(`${sign}${units}${decimals}`);
  const isRight = Number.isSafeInteger(minor) && currencyDigits(currency) === decimals.length;
  return isRight ? { minor, currency } : undefined;
}

function dispositionOf(payment: PaymentRow): Disposition {
  if (payment.state === 'declined') return 'declined';
  if (payment.state === 'pending') return 'pending';
  return isReversal(payment.type) ? 'reversed' : 'approved';
}

/** Code of a reversal that was carried out. */
export const REVERSED_CODE = '000.100.110';

/** A result without a payment: the message broke a rule, or there was nothing to do. */
export function bareResult(disposition: Disposition, resultCode: string): PaymentResult {
  return { disposition, resultCode, description: resultDescription(resultCode) };
}

/** Result as JSON for the inbox: bytes as hex. */
export function encodeResult(result: PaymentResult): string {
  const { iccDataResponse, payment: _, ...rest } = result;
  return JSON.stringify({ ...rest, ...(iccDataResponse && { iccDataResponse: toHex(iccDataResponse) }) });
}

/** Result from the inbox's JSON, which {@link encodeResult} wrote. */
export function decodeResult(json: string): PaymentResult {
  const stored = JSON.parse(json) as Omit<PaymentResult, 'iccDataResponse'> & { iccDataResponse?: string };
  const { iccDataResponse, ...rest } = stored;
  return { ...rest, ...(iccDataResponse !== undefined && { iccDataResponse: fromHex(iccDataResponse) }) };
}
