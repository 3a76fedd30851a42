import type { Redirect } from './shopper.js';
import type { ThreeDSecureStack } from './three-d-secure-stack.js';

export type Form = Readonly<Record<string, string>>;

/** The answers of payments and authentications, as far as these tests read them. */
export interface Answer {
  readonly status: number;
  readonly id: string;
  readonly result: {
    readonly code: string;
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[];
  };
  readonly redirect?: Redirect;
  readonly threeDSecure?: Readonly<Record<string, string>>;
  readonly timeline?: readonly {
    readonly at: string;
    readonly step: string;
    readonly by: string;
    readonly rule?: string;
    readonly detail?: string;
  }[];
  readonly resultDetails?: Readonly<Record<string, string>>;
}

export const SHOP = 'https://shop.example/';

/** What 3D Secure in a browser needs in addition to the card. */
export const BROWSER: Form = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en-GB',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'billing.street1': 'High Street 5',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
  shopperResultUrl: `${SHOP}done?order=7`,
};

export const PAYMENT: Form = { amount: '12.34', currency: 'EUR', paymentType: 'DB', ...BROWSER };

/** A card as a request has it; the security code has four digits for one scheme. */
export function card(number: string): Form {
  return {
    'card.number': number,
    'card.expiryMonth': '12',
    'card.expiryYear': '2031',
    'card.cvv': /^3[47]/.test(number) ? '1234' : '123',
    'card.holder': 'Jane Jones',
  };
}

/** The merchant of a stack: speaks for the channel with 3D Secure. */
export class Merchant {
  readonly #stack: Pick<ThreeDSecureStack, 'seed' | 'url'>;

  constructor(stack: Pick<ThreeDSecureStack, 'seed' | 'url'>) {
    this.#stack = stack;
  }

  post(path: string, form: Form): Promise<Answer> {
    const { threeDSecureMerchant } = this.#stack.seed;
    const body = new URLSearchParams({ entityId: threeDSecureMerchant.entityId, ...form });
    return this.#send(path, { method: 'POST', body });
  }

  get(path: string): Promise<Answer> {
    return this.#send(path, {});
  }

  pay(number: string, more: Form = {}): Promise<Answer> {
    return this.post('/v1/payments', { ...PAYMENT, ...card(number), ...more });
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    const { seed, url } = this.#stack;
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${seed.merchant.accessToken}` },
    });
    return { ...((await response.json()) as Omit<Answer, 'status'>), status: response.status };
  }
}
