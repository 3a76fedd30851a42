import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { claimed, stamp } from './columns.js';

/** Orders that are paid in parts. */
export const CARTS_TABLES = tables({
  /** A gift-card payment that is part of an order (cart.payments). */
  cartPayments: shape(
    {
      paymentId: column.idOf('payments'),
      /** Id that the payment of the rest has or will have. */
      orderId: column.text(),
      /** Of the gift-card payment. */
      entityId: column.idOf('entities'),
      /** `open`: the rest has no outcome yet. `kept`: it is paid. `reversing`: it is not. `reversed`, `stuck`: what became of it then. */
      state: column.oneOf('open', 'kept', 'reversing', 'reversed', 'stuck'),
      /** When it is reversed; while it is claimed, when the lease ends. Null: nothing is to be done. */
      ...claimed,
      ...stamp,
    },
    { key: ['paymentId'], isWide: true, indexes: { due: ['dueAtMs'], entity: ['entityId'] } },
  ),
});
