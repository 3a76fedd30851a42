import type { Money } from '@tillbridge/wire/payment/money.js';
import type { RestRequest } from '../sharing/rest-request.js';

/** What a merchant with gift cards requests: `part`, a payment with a gift card; `load`, a credit to one; `order`, with a card and with parts. */
type CartKind = 'part' | 'load' | 'order' | 'refund' | 'reversal';

/** A request of a merchant with gift cards, and its outcome. */
export interface CartRequest extends RestRequest {
  readonly kind: CartKind;
  readonly entityId: string;
  readonly amount: Money;
  /** Number of the gift card, of a part and of a load. */
  readonly giftCard?: string;
  /** Of an order. */
  readonly parts?: readonly CartRequest[];
  /** What a refund or reversal gives back. */
  readonly of?: CartRequest;
}

/** What a judge looks at. */
export interface CartRequests {
  readonly entityIds: readonly string[];
  readonly requests: readonly CartRequest[];
}
