import { CODE_RULES, codeOf } from '@tillbridge/gateway/features/console/rules/one-time-code.js';
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

/** A password of users. */
const PASSWORD = 'four words of mine';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows now. */
function codeNow(secret: string): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return codeOf(bytes, Math.floor(Date.now() / CODE_RULES.stepMs));
}

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

  /** Sends a request that has to go well, or to end with another status; returns its answer. @throws Error with the answer of another */
  async send(
    method: string,
    path: string,
    form: Form,
    expected = 200,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { url, owner } = this.#tenants;
    const { status, body } = await sendRest(url, { method, path, form, token: owner.token });
    if (status !== expected) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
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

  /** Invites a person, or the same person anew; gives the id of the user and what the link holds. */
  async invited(email: string): Promise<{ readonly id: string; readonly invitation: string }> {
    const about = { ...this.merchant, email, name: 'Anna Miller', role: 'support' };
    const { user, invitation } = await this.send('POST', '/v1/users', about);
    const { id } = user as { readonly id: string };
    if (typeof invitation === 'string') return { id, invitation };
    const again = await this.send('POST', `/v1/users/${id}/reset`, this.merchant);
    return { id, invitation: String(again.invitation) };
  }

  /** What accepts an invitation of a person, who has added the account to an authenticator app. */
  async acceptance(email: string): Promise<Form> {
    const { invitation } = await this.invited(email);
    const { body } = await this.browse('/v1/invitations', { invitation });
    return { invitation, password: PASSWORD, code: codeNow(String((body as Form).secret)) };
  }

  /** What signs a user in. It accepts an invitation first, whose code is used up: the next step has another one. */
  async signIn(): Promise<Form> {
    const email = 'sam@shop.example';
    const { body } = await this.browse('/v1/invitations/acceptance', await this.acceptance(email));
    const [code = ''] = (body as { readonly recoveryCodes: readonly string[] }).recoveryCodes;
    return { email, password: PASSWORD, code };
  }

  /** The headers of a browser in which a user is signed in. */
  async browserHeaders(): Promise<Readonly<Record<string, string>>> {
    const { headers } = await this.browse('/v1/sessions', await this.signIn());
    const [cookie = ''] = (headers['set-cookie'] ?? '').split(';');
    return { origin: this.#tenants.url, cookie };
  }

  /** Posts a form as a page of the gateway does. */
  browse(path: string, form: Form) {
    const { url } = this.#tenants;
    return sendRest(url, { method: 'POST', path, form, headers: { origin: url } });
  }

  /** The number of the first delivery that waits for an endpoint. */
  async waiting(webhook: string): Promise<string> {
    const { deliveries } = await this.send('GET', `/v1/webhooks/${webhook}/pending`, this.channel);
    return String((deliveries as readonly { readonly sequence: number }[])[0]?.sequence);
  }
}
