import { type ApiAnswer, callApi, type DeveloperAccess, GatewayRefusedError } from './api-client.js';

/** A card of the test mode (reference §5.1). */
const CARD = {
  amount: '12.34',
  currency: 'EUR',
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.cvv': '123',
  'card.holder': 'Jane Jones',
};

/** HTTP status of a payment that was declined (spec 7). */
const DECLINED_STATUS = 400;

/** Makes the events of a name; returns the ids of the payments. */
type Trigger = (access: DeveloperAccess) => Promise<readonly string[]>;

/** What `trigger` makes happen: real payments in test mode, with real events. */
export const TRIGGERS = {
  payment: async (access) => [await pay(access, { paymentType: 'DB' })],
  preauthorization: async (access) => [await pay(access, { paymentType: 'PA' })],
  decline: async (access) => [
    await pay(access, { paymentType: 'DB', 'customParameters[forceResultCode]': '800.100.152' }),
  ],
  registration: async (access) => [await pay(access, { paymentType: 'DB', createRegistration: 'true' })],
  capture: (access) => followed(access, 'PA', { paymentType: 'CP', ...AMOUNT }),
  refund: (access) => followed(access, 'DB', { paymentType: 'RF', ...AMOUNT }),
  reversal: (access) => followed(access, 'DB', { paymentType: 'RV' }),
} as const satisfies Readonly<Record<string, Trigger>>;

/** A name of {@link TRIGGERS}. */
export type TriggerName = keyof typeof TRIGGERS;

/** All names. */
export const TRIGGER_NAMES = Object.keys(TRIGGERS) as readonly TriggerName[];

const AMOUNT = { amount: CARD.amount, currency: CARD.currency };

function pay(access: DeveloperAccess, form: Readonly<Record<string, string>>): Promise<string> {
  return callApi(access, 'POST', '/v1/payments', { ...CARD, ...form }, [DECLINED_STATUS]).then(idOf);
}

async function followed(
  access: DeveloperAccess,
  paymentType: string,
  form: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const id = await pay(access, { paymentType });
  return [id, idOf(await callApi(access, 'POST', `/v1/payments/${id}`, form))];
}

/** @throws GatewayRefusedError for an answer without a payment: its parameters were refused */
function idOf({ id, result }: ApiAnswer): string {
  if (typeof id !== 'string') throw new GatewayRefusedError(`${result.code} ${result.description}`);
  return id;
}
