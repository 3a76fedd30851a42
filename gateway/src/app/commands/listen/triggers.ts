import { callApi, type DeveloperAccess } from './api-client.js';
import { AWAITED_TRIGGERS } from './awaited-triggers.js';
import { CARD, idOf, pay, type Trigger } from './trigger-payments.js';

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
  ...AWAITED_TRIGGERS,
} as const satisfies Readonly<Record<string, Trigger>>;

/** A name of {@link TRIGGERS}. */
export type TriggerName = keyof typeof TRIGGERS;

/** All names. */
export const TRIGGER_NAMES = Object.keys(TRIGGERS) as readonly TriggerName[];

const AMOUNT = { amount: CARD.amount, currency: CARD.currency };

async function followed(
  access: DeveloperAccess,
  paymentType: string,
  form: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const id = await pay(access, { paymentType });
  return [id, idOf(await callApi(access, 'POST', `/v1/payments/${id}`, form))];
}
