import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { sealed, stamp } from './columns.js';

/** Links that merchants send to their shoppers. */
export const PAYMENT_LINKS_TABLES = tables({
  /** A purchase that any holder of the link may pay, once. */
  paymentLinks: shape(
    {
      /** 32 hex; not guessable, for it is the credential of the page. */
      id: column.text(),
      entityId: column.idOf('entities'),
      state: column.oneOf('open', 'paid', 'removed'),
      /** Hex of the merchant's parameters, a JSON object by name, sealed. */
      ...sealed,
      /** The checkout that its page showed last. */
      checkoutId: column.optional(column.text()),
      /** The payment that paid it. */
      paymentId: column.optional(column.text()),
      expiresAtMs: column.integer(),
      ...stamp,
    },
    { indexes: { age: ['createdAtMs'], keyId: ['keyId'] } },
  ),
});
