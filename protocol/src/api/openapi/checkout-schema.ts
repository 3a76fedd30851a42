import type { Json, JsonObject } from './json.js';

/** Schema of what a checkout lets its payment form show, an addition of ours. */
export function checkoutFormSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  const flag: JsonObject = { type: 'boolean' };
  const count: JsonObject = { type: 'integer', minimum: 0 };
  const object = (properties: Record<string, Json>, required: readonly string[]): JsonObject => ({
    type: 'object',
    properties,
    required: [...required],
  });
  const method = object({ brand: text, kind: text, cvvLength: count, sheetUrl: text }, ['brand', 'kind']);
  const registration = object(
    {
      id: text,
      kind: text,
      brand: text,
      bin: text,
      last4Digits: text,
      holder: text,
      expiryMonth: text,
      expiryYear: text,
    },
    ['id', 'kind'],
  );
  return object(
    {
      id: text,
      mode: { type: 'string', enum: ['test', 'live'] },
      purpose: { type: 'string', enum: ['payment', 'registration'] },
      state: { type: 'string', enum: ['open', 'pending', 'done'] },
      expiresInMs: count,
      attemptsLeft: count,
      amount: text,
      currency: text,
      paymentType: text,
      overridePaymentType: { type: 'object', additionalProperties: text },
      methods: { type: 'array', items: method },
      registrations: { type: 'array', items: registration },
      createRegistration: flag,
      threeDSecure: flag,
      shopperResultUrl: flag,
      locale: text,
      country: text,
    },
    ['id', 'mode', 'purpose', 'state', 'expiresInMs', 'attemptsLeft', 'methods', 'registrations'],
  );
}

/** What an answer shows of a registration. */
export function registrationProperties(): Record<string, Json> {
  const text: JsonObject = { type: 'string' };
  const object = (...names: readonly string[]): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, text])),
  });
  return {
    id: text,
    paymentType: { type: 'string', enum: ['RG'] },
    paymentBrand: text,
    card: object('bin', 'last4Digits', 'holder', 'expiryMonth', 'expiryYear'),
    bankAccount: object('last4Digits', 'holder'),
  };
}
