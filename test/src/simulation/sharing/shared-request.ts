import type { Money } from '@tillbridge/wire/payment/money.js';
import type { RestRequest } from './rest-request.js';

/** What a merchant requests. */
export type SharedKind = 'payment' | 'hold' | 'capture' | 'refund' | 'reversal';

/** A request of a merchant whose requests come at once, and its outcome. */
export interface SharedRequest extends RestRequest {
  readonly kind: SharedKind;
  readonly amount: Money;
  /** Of a first payment: the agreement that it wants to begin, and the card. */
  readonly agreement?: { readonly id: string; readonly pan: string };
  /** The request that it follows. */
  readonly of?: SharedRequest;
}

/** A card that was registered with a customer, and the ids that were reported for it. */
export interface SharedCard {
  readonly pan: string;
  readonly customerId: string;
  readonly ids: string[];
}

/** What a judge looks at. */
export interface SharedRequests {
  readonly entityId: string;
  readonly requests: readonly SharedRequest[];
  readonly cards: readonly SharedCard[];
}
