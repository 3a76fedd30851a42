import type { KeyObject } from 'node:crypto';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import { TYPED } from './cards.js';
import { randomHex } from './id-kinds.js';
import { sendRest } from './rest-client.js';
import { makeTenant, type Tenant } from './tenant.js';

type Form = Readonly<Record<string, string>>;

/** A tenant of whom nothing is known yet, with what is its own and was never used. */
export interface Stranger extends Tenant {
  /** Makes a payment; returns its id. */
  pay(more?: Form): Promise<string>;
  /** Schedules payments of a type; returns the schedule's id. */
  schedule(paymentType: string): Promise<string>;
  /** Makes a checkout; returns its id. */
  checkout(about?: Form): Promise<string>;
  /** Makes a payment link; returns its id. */
  paymentLink(): Promise<string>;
  /** Stores payment details; returns their id. */
  registration(): Promise<string>;
  /** Counter of its card. */
  readonly counter: number;
}

/** What a checkout is made with. */
export const PURCHASE = { amount: '12.34', currency: 'EUR', paymentType: 'DB' } as const;

/** What details are stored of, and what a shopper's browser sends. */
export const CARD: Form = Object.fromEntries(
  Object.entries(TYPED).filter(([name]) => name.startsWith('card.')),
);

/** Makes a tenant with a gateway at `url`. */
export async function strangerOf(
  url: string,
  store: Store,
  tokenKey: KeyObject,
  counter: number,
): Promise<Stranger> {
  const tenant = await makeTenant(store, tokenKey, { agent: `store-${randomHex(8)}`, terminal: '8001' });
  const pay = (more: Form = {}) => make(url, tenant, '/v1/payments', { ...TYPED, ...more });
  return {
    ...tenant,
    pay,
    schedule: async (paymentType) => {
      const referenceUuid = await pay();
      const job = { 'job.month': '*', referenceUuid };
      return make(url, tenant, '/v1/schedules', { ...PURCHASE, ...job, paymentType });
    },
    checkout: (about = PURCHASE) => make(url, tenant, '/v1/checkouts', about),
    paymentLink: () => make(url, tenant, '/paybylink/v1', PURCHASE),
    registration: () => make(url, tenant, '/v1/registrations', CARD),
    counter,
  };
}

/** @throws Error when nothing was made */
async function make(url: string, { token, channel }: Tenant, path: string, about: Form): Promise<string> {
  const form = { ...about, entityId: channel };
  const { body } = await sendRest(url, { method: 'POST', path, form, token });
  const { id } = body as { readonly id?: string };
  if (id === undefined) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return id;
}
