import { TYPED } from '../tenants/cards.js';
import { sendRest } from '../tenants/rest-client.js';
import type { TwoTenants } from '../tenants/two-tenants.js';

export type Form = Readonly<Record<string, string>>;

/** A payment with a typed card, as a shop sends it. */
export const PAYMENT: Form = { ...TYPED, 'card.holder': 'Jane Jones', 'card.cvv': '123' };
/** Of it, what describes the card. */
export const CARD: Form = Object.fromEntries(
  Object.entries(PAYMENT).filter(([name]) => name.startsWith('card.')),
);
/** What a shopper pays for on a page. */
export const PURCHASE: Form = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };

/** The merchant whose requests are the examples, and what it needs for them. */
export class Shop {
  readonly #tenants: TwoTenants;
  #webhook: string | undefined;

  constructor(tenants: TwoTenants) {
    this.#tenants = tenants;
  }

  get owner() {
    return this.#tenants.owner;
  }

  get owned() {
    return this.#tenants.owned;
  }

  /** The entity whose payments these are, as a parameter. */
  get channel() {
    return { entityId: this.owner.channel };
  }

  /** The merchant that looks after them, as a parameter. */
  get merchant() {
    return { entityId: this.owner.merchant };
  }

  /** Sends a request that has to go well; returns its answer. @throws Error with the answer of another */
  async send(method: string, path: string, form: Form): Promise<Readonly<Record<string, unknown>>> {
    const { url, owner } = this.#tenants;
    const { status, body } = await sendRest(url, { method, path, form, token: owner.token });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body as Readonly<Record<string, unknown>>;
  }

  /** Makes something; returns its id. */
  async make(path: string, form: Form): Promise<string> {
    return String((await this.send('POST', path, { ...this.channel, ...form })).id);
  }

  pay(more: Form = {}): Promise<string> {
    return this.make('/v1/payments', { ...PAYMENT, ...more });
  }

  checkout(more: Form = {}): Promise<string> {
    return this.make('/v1/checkouts', { ...PURCHASE, ...more });
  }

  registration(more: Form = {}): Promise<string> {
    return this.make('/v1/registrations', { ...CARD, ...more });
  }

  paymentLink(): Promise<string> {
    return this.make('/paybylink/v1', PURCHASE);
  }

  /** The checkout that a payment link has once a shopper has opened its page. */
  async openedCheckout(link: string): Promise<string> {
    const page = await fetch(`${this.#tenants.url}/pay/${link}`, { headers: { connection: 'close' } });
    return /checkoutId=([A-Za-z0-9-]+)/.exec(await page.text())?.[1] ?? '';
  }

  /** Stores details with a payment, as an agreement to repeat it; returns their id. */
  async agreement(): Promise<string> {
    const agreed = { createRegistration: 'true', 'standingInstruction.mode': 'INITIAL' };
    const form = { ...this.channel, ...PAYMENT, ...agreed };
    return String((await this.send('POST', '/v1/payments', form)).registrationId);
  }

  async schedule(): Promise<string> {
    const registrationId = await this.agreement();
    return this.make('/v1/schedules', { ...PURCHASE, 'job.dayOfMonth': '1', registrationId });
  }

  /** Makes a webhook endpoint whose deliveries are fetched; takes the former one away, as an entity may have a few. */
  async webhook(): Promise<string> {
    if (this.#webhook !== undefined)
      await this.send('POST', `/v1/webhooks/${this.#webhook}/removal`, this.channel);
    const { webhook } = await this.send('POST', '/v1/webhooks', { ...this.channel, types: 'PAYMENT' });
    this.#webhook = String((webhook as { readonly id: string }).id);
    return this.#webhook;
  }

  /** The number of the first delivery that waits for an endpoint. */
  async waiting(webhook: string): Promise<string> {
    const { deliveries } = await this.send('GET', `/v1/webhooks/${webhook}/pending`, this.channel);
    return String((deliveries as readonly { readonly sequence: number }[])[0]?.sequence);
  }
}
