import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { stamp } from './columns.js';

/** What clients sent over REST, for their developers (features/request-log). */
export const REQUEST_LOG_TABLES = tables({
  /** A request and how it ended; masked. */
  requestLog: shape(
    {
      /** 32 lowercase hex that sort by time. */
      id: column.text(),
      /** The entity that it named, else that of its token or checkout. */
      entityId: column.idOf('entities'),
      /** `token ` and the id of the access token; `checkout` of a shopper’s browser. */
      actor: column.text(),
      method: column.text(),
      /** As the API reference writes it, such as `/v1/payments/{id}`: nothing of the address itself. */
      path: column.text(),
      /** The payment of its path, else the one that it made. */
      paymentId: column.optional(column.text()),
      /** The payment that it made, where its path names another one. */
      madeId: column.optional(column.text()),
      status: column.integer(),
      /** Those of the answer; null where it has none. */
      resultCode: column.optional(column.text()),
      outcome: column.optional(column.text()),
      ndc: column.optional(column.text()),
      durationUs: column.integer('>= 0'),
      /** Masked parameters as sent: an array of name and value. */
      parameters: column.json(),
      /** Parameters that there was no room for. */
      leftOut: column.integer('>= 0'),
      /** What was wrong with them: an array of name, value and message. */
      errors: column.json(),
      ...stamp,
    },
    {
      isWide: true,
      indexes: {
        entity: ['entityId', 'createdAtMs'],
        payment: ['paymentId', 'createdAtMs'],
        age: ['createdAtMs'],
      },
    },
  ),
});
