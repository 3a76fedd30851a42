import { type ApiAnswer, callApi, type DeveloperAccess, GatewayRefusedError } from './api-client.js';

/** What a trigger may need in addition to the gateway. */
export interface TriggerOptions {
  /** Id of the payment that is meant. */
  readonly payment?: string;
  /** Id of the schedule that is meant. */
  readonly schedule?: string;
  /** Where a shop takes its shoppers back. */
  readonly shopperResultUrl?: string;
}

/** Makes the events of a name; returns the ids of the payments. */
export type Trigger = (access: DeveloperAccess, options: TriggerOptions) => Promise<readonly string[]>;

type Form = Readonly<Record<string, string>>;

/** A card of the test mode (docs/test-mode.md). */
export const CARD = {
  amount: '12.34',
  currency: 'EUR',
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.cvv': '123',
  'card.holder': 'Jane Jones',
} as const;

/** A direct debit of the test mode (docs/test-mode.md). */
export const DEBIT = {
  amount: '12.34',
  currency: 'EUR',
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.iban': 'DE23100000001234567890',
  'bankAccount.bic': 'MARKDEF1100',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.country': 'DE',
} as const;

/** HTTP status of a payment that was declined. */
const DECLINED_STATUS = 400;

/** Makes a payment, by default with the card; returns its id. @throws GatewayRefusedError */
export function pay(access: DeveloperAccess, form: Form, means: Form = CARD): Promise<string> {
  return callApi(access, 'POST', '/v1/payments', { ...means, ...form }, [DECLINED_STATUS]).then(idOf);
}

/** @throws GatewayRefusedError for an answer without a payment: its parameters were refused */
export function idOf({ id, result }: ApiAnswer): string {
  if (typeof id !== 'string') throw new GatewayRefusedError(`${result.code} ${result.description}`);
  return id;
}
