import type { ShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import type { OrderLine } from './order-lines.js';

/** Money as the API has it: decimal text, and ISO 4217. */
export interface Price {
  readonly amount: string;
  readonly currency: string;
}

/** What the shopper gets of a payment, on a page or by e-mail. */
export interface LinkReceipt {
  readonly merchant: string;
  readonly price: Price | undefined;
  /** The merchant's name for it, or the payment's own. */
  readonly reference: string | undefined;
  /** Epoch. */
  readonly paidAtMs: number | undefined;
  readonly lines: readonly OrderLine[];
}

/** A number of pieces as a language writes it. */
export function quantityIn({ tag }: ShopperLocale, quantity: string): string {
  return new Intl.NumberFormat(tag, { maximumFractionDigits: 3 }).format(Number(quantity));
}

/** The server does not know where the shopper is: the time names its zone. */
export function dateIn({ tag }: ShopperLocale, atMs: number): string {
  return new Intl.DateTimeFormat(tag, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone: 'UTC', timeZoneName: 'short' },
  }).format(atMs);
}
