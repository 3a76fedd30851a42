import type { RequestParameters } from '@tillbridge/gateway/kernel/api/catalogue/sections.js';
import { present } from '@tillbridge/wire/present.js';
import { call, type HttpAnswer } from './http.js';

/** The part of a payment answer that journeys look at (gateway/docs/rest-api.md). */
interface PaymentAnswer {
  readonly id?: string;
  readonly paymentType?: string;
  readonly amount?: string;
  readonly currency?: string;
  /** Where the shopper goes. */
  readonly redirect?: {
    readonly url: string;
    readonly method: string;
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
  };
  /** The acquirer's references of a payment: its authorization, and the capture that a PA.CP brings along. */
  readonly resultDetails?: {
    readonly ConnectorTxID1?: string;
    readonly ConnectorTxID2?: string;
    readonly ExtendedDescription?: string;
  };
  readonly result: {
    readonly code: string;
    readonly description: string;
    readonly parameterErrors?: readonly {
      readonly name: string;
      readonly value: string | null;
      readonly message: string;
    }[];
  };
}

/** The gateway's REST as a merchant uses it. */
export class GatewayClient {
  readonly #url: string;
  readonly #testMode: { readonly testMode?: 'INTERNAL' | 'EXTERNAL' };
  readonly #merchant: { readonly entityId: string; readonly accessToken: string };

  /** @param testMode of its payments; absent: they name none */
  constructor(
    url: string,
    merchant: { readonly entityId: string; readonly accessToken: string },
    testMode?: 'INTERNAL' | 'EXTERNAL',
  ) {
    this.#url = url;
    this.#merchant = merchant;
    this.#testMode = present({ testMode });
  }

  /** `POST /v1/payments`. */
  pay(parameters: RequestParameters): Promise<HttpAnswer<PaymentAnswer>> {
    return this.#post('/v1/payments', { ...this.#testMode, ...parameters });
  }

  /** `POST /v1/payments/{id}`: capture, refund, reversal. */
  followUp(id: string, parameters: RequestParameters): Promise<HttpAnswer<PaymentAnswer>> {
    return this.#post(`/v1/payments/${id}`, parameters);
  }

  /** `GET /v1/payments/{id}`. */
  get(id: string): Promise<HttpAnswer<PaymentAnswer>> {
    const query = new URLSearchParams({ entityId: this.#merchant.entityId });
    return call('GET', `${this.#url}/v1/payments/${id}?${query}`, { headers: this.#headers() });
  }

  /** `GET /v3/query` by the merchant's reference: what became of a payment whose answer was lost; empty where none was begun. */
  async query(merchantTransactionId: string): Promise<readonly PaymentAnswer[]> {
    const query = new URLSearchParams({ entityId: this.#merchant.entityId, merchantTransactionId });
    const { status, body } = await call<{ records?: readonly PaymentAnswer[] }>(
      'GET',
      `${this.#url}/v3/query?${query}`,
      { headers: this.#headers() },
    );
    if (status !== 200 && status !== 404) throw new Error(`GET /v3/query answered ${status}`);
    return body.records ?? [];
  }

  /** `POST /v1/checkouts`; gives the id. */
  async createCheckout(parameters: RequestParameters): Promise<string> {
    const { body } = await this.#post('/v1/checkouts', { ...this.#testMode, ...parameters });
    if (body.id === undefined) throw new Error(`POST /v1/checkouts answered ${body.result.code}`);
    return body.id;
  }

  /** `POST /v1/checkouts/{id}/payment` as the shopper's browser sends it: without a token. */
  submit(checkoutId: string, parameters: RequestParameters): Promise<HttpAnswer<PaymentAnswer>> {
    const headers = { accept: 'application/json' };
    const body = new URLSearchParams(parameters as Record<string, string>);
    return call('POST', `${this.#url}/v1/checkouts/${checkoutId}/payment`, { body, headers });
  }

  /** `GET /v1/checkouts/{id}/payment`. */
  checkoutStatus(checkoutId: string): Promise<HttpAnswer<PaymentAnswer>> {
    const query = new URLSearchParams({ entityId: this.#merchant.entityId });
    const url = `${this.#url}/v1/checkouts/${checkoutId}/payment?${query}`;
    return call('GET', url, { headers: this.#headers() });
  }

  #post(path: string, parameters: RequestParameters): Promise<HttpAnswer<PaymentAnswer>> {
    const body = new URLSearchParams({ entityId: this.#merchant.entityId, ...parameters });
    return call('POST', `${this.#url}${path}`, { body, headers: this.#headers() });
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#merchant.accessToken}` };
  }
}
