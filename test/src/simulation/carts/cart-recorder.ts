import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';

/** Sees each commit of a gateway: an order takes only gift-card payments of the same merchant that stand whole at that moment (P2). */
export class CartRecorder {
  readonly #breach: (text: string) => void;
  readonly #payments = new Map<string, PaymentRow>();

  constructor(breach: (text: string) => void) {
    this.#breach = breach;
  }

  committed(changes: readonly Change[]): void {
    for (const change of changes)
      if (change.op === 'insert' && change.table === 'cartPayments' && change.row.state === 'open')
        this.#taken(change.row, changes);
    for (const change of changes)
      if ((change.op === 'insert' || change.op === 'update') && change.table === 'payments')
        this.#payments.set(change.row.id, change.row);
  }

  #taken(
    { paymentId, orderId }: { readonly paymentId: string; readonly orderId: string },
    changes: readonly Change[],
  ): void {
    const part = this.#payments.get(paymentId);
    const order = changes.find(
      (change) => change.op === 'insert' && change.table === 'intents' && change.row.paymentId === orderId,
    );
    const buyer = order?.op === 'insert' && order.table === 'intents' ? order.row.entityId : undefined;
    if (!part || part.entityId !== buyer)
      this.#breach(`order ${orderId} takes ${paymentId}, which is no payment of its merchant`);
    else if (
      part.state === 'reversed' ||
      part.state === 'declined' ||
      part.refundedMinor + part.reversedMinor > 0
    )
      this.#breach(`order ${orderId} takes ${paymentId}, of which some was given back before`);
  }
}
