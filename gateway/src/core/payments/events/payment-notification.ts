import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { EchoValue } from '../../../kernel/api/echo.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { echoOf } from '../rules/lifecycle-facts.js';
import type { PaymentAnswer } from '../view/payment-view.js';

/** Where a payment came from that does not say so (docs/rest-api.md). */
const SOURCE = 'OPP';

/** What a notification has of a payment in addition to its answer (docs/webhooks.md). Pure. */
export function notificationFields(payment: PaymentRow, channelName: string): object {
  const { entityId, referencedId, shortId } = payment;
  return {
    ...presentation(payment),
    ...present({ referencedId }),
    source: echoOf(payment).source ?? SOURCE,
    paymentMethod: payment.method,
    shortId,
    channelName,
    authentication: { entityId },
  };
}

/** The registration that a payment made, as its answer would show it: without what belongs to the payment alone. Pure. */
export function registrationOf(answer: PaymentAnswer, registrationId: string): object {
  const { card, customer, billing, paymentBrand, result, buildNumber, timestamp, ndc } = answer;
  return {
    id: registrationId,
    ...present({ paymentBrand, card, customer, billing }),
    result,
    buildNumber,
    timestamp,
    ndc,
  };
}

/** The converted amount where one was sent, else the payment's own; nothing where it has none. */
function presentation(payment: PaymentRow): object {
  const { amountMinor, currency } = payment;
  const converted = convertedAmount(echoOf(payment).forex);
  if (converted) return converted;
  if (currency === '') return {};
  return {
    presentationAmount: formatAmount({ minor: amountMinor, currency }),
    presentationCurrency: currency,
  };
}

function convertedAmount(forex: EchoValue | undefined): object | undefined {
  if (typeof forex !== 'object' || Array.isArray(forex)) return undefined;
  const { amount, currency } = forex;
  if (typeof amount !== 'string' || typeof currency !== 'string') return undefined;
  return {
    // Amounts of answers have two decimals.
    presentationAmount: amount.includes('.') ? amount : `${amount}.00`,
    presentationCurrency: currency,
  };
}
