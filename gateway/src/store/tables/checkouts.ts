import {
  idOf,
  integer,
  json,
  oneOf,
  optional,
  table,
  text,
} from '@tillbridge/protocol/platform/sqlite/table.js';
import { createdAtMs, version } from './columns.js';

/** What shops prepare for their shoppers. */
export const CHECKOUTS_TABLES = {
  /** A purchase, or payment details to store, that a merchant prepares and a shopper's browser ends. */
  checkouts: table('checkouts', {
    key: ['id'],
    isWide: true,
    indexes: { due: ['dueAtMs'], age: ['createdAtMs'], keyId: ['keyId'] },
    columns: {
      /** 32 to 48 letters, digits and hyphens (spec 2). */
      id: text(),
      entityId: idOf('entities'),
      state: oneOf('open', 'removed'),
      /** Hex of the merchant's parameters, a JSON object by name, sealed. */
      sealed: text(),
      /** The data key that seals them. */
      keyId: idOf('dataKeys'),
      /** Where the shopper goes after, as the browser sent it; the merchant's own stands among the parameters. */
      shopperResultUrl: optional(text()),
      /** Payment details that a browser has sent, right or wrong. */
      attempts: integer('>= 0'),
      /** What the browser posted last. */
      posted: optional(oneOf('payment', 'registration')),
      /** Id that this payment or registration has or will have. */
      postedId: optional(text()),
      postedAtMs: optional(integer()),
      /** When the merchant fetched its result; null again with the next post. */
      readAtMs: optional(integer()),
      /** When the shop is called with the result next; while that is claimed, when the lease ends. Null: not. */
      dueAtMs: optional(integer()),
      /** Who has claimed it. */
      leasedBy: optional(text()),
      /** Claims since work on it last came to an end. */
      claims: integer('>= 0'),
      /** Array: time and HTTP status or fault of each call to the shop. */
      calls: json(),
      expiresAtMs: integer(),
      createdAtMs,
      version,
    },
  }),
};
