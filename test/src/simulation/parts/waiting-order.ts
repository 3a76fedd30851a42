import type { WaitKind } from '@tillbridge/gateway/kernel/store/tables/wait-kinds.js';

/** How a payment ended. */
export type WaitEnd = 'paid' | 'declined';

/** A payment that waits, or was to, and the outcome that its merchant received. */
export interface WaitingOrder {
  readonly reference: string;
  readonly kind: WaitKind;
  readonly minor: number;
  readonly beganAtMs: number;
  paymentId?: string;
  /** The merchant received that it waits. */
  waits?: true;
  /** What the shopper decided, and when. */
  decided?: { readonly decision: 'approved' | 'refused'; readonly atMs: number };
  /** When the wait was first ended as overdue. */
  endedAtMs?: number;
  /** How it ended by the answer to the merchant; `absent`: the gateway knows no payment. */
  end?: WaitEnd | 'absent';
}

/** The payments of a merchant that waited, or were to. */
export interface WaitingOrders {
  readonly orders: readonly WaitingOrder[];
  readonly entityId: string;
  /** None of them is under way. */
  readonly isQuiet: boolean;
}
