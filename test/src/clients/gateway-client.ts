import type { RequestParameters } from '@tillbridge/protocol/api/catalogue/sections.js';
import { call, type HttpAnswer } from './http.js';

/** The part of a payment answer that journeys look at (spec 2.10). */
export interface PaymentAnswer {
  readonly id?: string;
  readonly paymentType?: string;
  readonly amount?: string;
  readonly currency?: string;
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
  readonly #merchant: { readonly entityId: string; readonly accessToken: string };

  constructor(url: string, merchant: { readonly entityId: string; readonly accessToken: string }) {
    this.#url = url;
    this.#merchant = merchant;
  }

  /** `POST /v1/payments`. */
  pay(parameters: RequestParameters): Promise<HttpAnswer<PaymentAnswer>> {
    return this.#post('/v1/payments', parameters);
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

  #post(path: string, parameters: RequestParameters): Promise<HttpAnswer<PaymentAnswer>> {
    const body = new URLSearchParams({ entityId: this.#merchant.entityId, ...parameters });
    return call('POST', `${this.#url}${path}`, { body, headers: this.#headers() });
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#merchant.accessToken}` };
  }
}
