import { timingSafeEqual } from 'node:crypto';
import type { Fingerprint } from './fingerprint.js';

/** A payment id, and as many digits of its keyed fingerprint: it cannot be made from the payment's id alone. */
const SHOPPER_ID = /^([0-9a-f]{32})([0-9a-f]{32})$/;

/** Path of our own pages for shoppers. */
export const SHOPPER_PATH = '/shopper/:id';

/** Addresses of our own pages for the shopper of one payment. */
export interface ShopperPages {
  /** Sends the shopper on. */
  readonly start: string;
  /** Takes the shopper back. */
  readonly back: string;
}

/** Addresses of our own pages for shoppers. Nothing of them is stored: the address proves itself. */
export class ShopperAddresses {
  /** Where the gateway is reached, `https://host[:port]`; known once it listens. */
  origin: string | undefined;
  readonly #fingerprint: Fingerprint;

  constructor(fingerprint: Fingerprint, origin?: string) {
    this.#fingerprint = fingerprint;
    this.origin = origin;
  }

  /** The pages of a payment; undefined while the gateway does not listen. */
  pagesOf(paymentId: string): ShopperPages | undefined {
    if (this.origin === undefined) return undefined;
    const start = `${this.origin}/shopper/${paymentId}${this.#proof(paymentId)}`;
    return { start, back: `${start}/return` };
  }

  /** The payment of an address; undefined where we did not make it. */
  paymentOf(shopperId: string): string | undefined {
    const [, paymentId, proof] = SHOPPER_ID.exec(shopperId) ?? [];
    if (paymentId === undefined || proof === undefined) return undefined;
    return timingSafeEqual(Buffer.from(proof), Buffer.from(this.#proof(paymentId))) ? paymentId : undefined;
  }

  #proof(paymentId: string): string {
    return this.#fingerprint('shopper', paymentId).slice(0, 32);
  }
}
