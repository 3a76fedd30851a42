import type { Json, JsonObject } from './json.js';
import { COUNT, FLAG, listOf, objectOf, oneOf, TEXT, texts } from './schema-parts.js';

/** Schema of what a checkout lets its payment form show, an addition of ours. */
export function checkoutFormSchema(): JsonObject {
  const method = objectOf({ brand: TEXT, kind: TEXT, cvvLength: COUNT, sheetUrl: TEXT }, ['brand', 'kind']);
  const registration = objectOf(
    {
      ...texts('id', 'kind', 'brand', 'bin', 'last4Digits', 'holder', 'expiryMonth', 'expiryYear'),
    },
    ['id', 'kind'],
  );
  return objectOf(
    {
      id: TEXT,
      mode: oneOf('test', 'live'),
      purpose: oneOf('payment', 'registration'),
      state: oneOf('open', 'pending', 'done'),
      expiresInMs: COUNT,
      attemptsLeft: COUNT,
      ...texts('amount', 'currency', 'paymentType'),
      overridePaymentType: { type: 'object', additionalProperties: TEXT },
      methods: listOf(method),
      registrations: listOf(registration),
      createRegistration: FLAG,
      threeDSecure: FLAG,
      shopperResultUrl: FLAG,
      locale: TEXT,
      country: TEXT,
    },
    ['id', 'mode', 'purpose', 'state', 'expiresInMs', 'attemptsLeft', 'methods', 'registrations'],
  );
}

/** What an answer shows of a registration. */
export const REGISTRATION_PROPERTIES: Record<string, Json> = {
  id: TEXT,
  paymentType: oneOf('RG'),
  paymentBrand: TEXT,
  card: objectOf(texts('bin', 'last4Digits', 'holder', 'expiryMonth', 'expiryYear')),
  bankAccount: objectOf(texts('last4Digits', 'holder')),
};
