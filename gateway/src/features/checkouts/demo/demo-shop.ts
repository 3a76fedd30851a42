import type { DemoCredentials } from './demo-credentials.js';

/** Goods of the demo shop. */
export const GOODS = [
  { id: 'coffee', name: 'Coffee beans, 1 kg', cents: 1890 },
  { id: 'tea', name: 'Green tea, 200 g', cents: 1250 },
  { id: 'cup', name: 'Cup', cents: 990 },
] as const;

/** Most pieces of one article. */
export const MAX_PIECES = 9;
/** How long the gateway may take, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** What a shopper wants to pay. */
interface Basket {
  readonly pieces: Readonly<Record<string, number>>;
  /** The bank requires a challenge of the cardholder. */
  readonly confirmed: boolean;
}

/** An answer of the API, as far as the shop reads it. */
export interface DemoAnswer {
  readonly id?: string;
  readonly integrity?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly paymentBrand?: string;
  readonly card?: { readonly last4Digits?: string };
  readonly result: { readonly code: string; readonly description: string };
}

/** What a paid checkout is sent with where 3D Secure is processed. */
const CUSTOMER = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'billing.street1': 'High Street 5',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
} as const;

/** The server of a small shop. It uses the public API alone, over HTTP, with a token of the development merchant. */
export class DemoShop {
  readonly #credentials: DemoCredentials;
  readonly #origin: () => string | undefined;

  /** @param origin where the gateway is reached, once it listens */
  constructor(credentials: DemoCredentials, origin: () => string | undefined) {
    this.#credentials = credentials;
    this.#origin = origin;
  }

  /** Prepares a checkout for what is in the basket. @throws TypeError when the gateway cannot be reached */
  prepare({ pieces, confirmed }: Basket): Promise<DemoAnswer> {
    const { entityId, threeDSecureEntityId } = this.#credentials;
    const cents = GOODS.reduce((sum, { id, cents }) => sum + cents * (pieces[id] ?? 0), 0);
    return this.#ask('/v1/checkouts', {
      entityId: confirmed ? threeDSecureEntityId : entityId,
      amount: (cents / 100).toFixed(2),
      currency: 'EUR',
      paymentType: 'DB',
      integrity: 'true',
      ...CUSTOMER,
    });
  }

  /** How the payment of a checkout ended. @param resourcePath as the shopper brought it; only a checkout's is read */
  async outcome(resourcePath: string): Promise<DemoAnswer | undefined> {
    // The path comes from outside: without a check, the maker of the link would choose what the token requests.
    return /^\/v1\/checkouts\/[A-Za-z0-9-]{32,48}\/payment$/.test(resourcePath)
      ? this.#ask(resourcePath)
      : undefined;
  }

  async #ask(path: string, form?: Readonly<Record<string, string>>): Promise<DemoAnswer> {
    const response = await fetch(new URL(path, this.#origin()), {
      headers: { authorization: `Bearer ${this.#credentials.accessToken}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return (await response.json()) as DemoAnswer;
  }
}
