import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { claimed, sealed, stamp, version } from './columns.js';

/** What shops prepare for their shoppers. */
export const CHECKOUTS_TABLES = tables({
  /** A purchase, or payment details to store, that a merchant prepares and a shopper's browser ends. */
  checkouts: shape(
    {
      /** 32 to 48 letters, digits and hyphens (docs/checkouts.md). */
      id: column.text(),
      entityId: column.idOf('entities'),
      state: column.oneOf('open', 'removed'),
      /** Hex of the merchant's parameters, a JSON object by name, sealed. */
      ...sealed,
      /** Where the shopper goes after, as the browser sent it; the merchant's own stands among the parameters. */
      shopperResultUrl: column.optional(column.text()),
      /** Payment details that a browser has sent, right or wrong. */
      attempts: column.integer('>= 0'),
      /** What the browser posted last. */
      posted: column.optional(column.oneOf('payment', 'registration')),
      /** Id that this payment or registration has or will have. */
      postedId: column.optional(column.text()),
      postedAtMs: column.optional(column.integer()),
      /** When the merchant fetched its result; null again with the next post. */
      readAtMs: column.optional(column.integer()),
      /** When the shop is called with the result next; while that is claimed, when the lease ends. Null: not. */
      ...claimed,
      /** Array: time and HTTP status or fault of each call to the shop. */
      calls: column.json(),
      expiresAtMs: column.integer(),
      /** Until when it is kept: a payment link has to know what was posted to its checkout. */
      keptUntilMs: column.integer(),
      ...stamp,
    },
    {
      isWide: true,
      indexes: { due: ['dueAtMs'], posted: ['postedId'], kept: ['keptUntilMs'], keyId: ['keyId'] },
    },
  ),
  /** What subjects used lately, for limits that all nodes count together. */
  recentUses: shape(
    {
      /** Keyed hash of whose uses are counted, hex. */
      subject: column.text(),
      /** Array: what was used, and when in milliseconds. */
      uses: column.json(),
      /** When none of them counts any more. */
      expiresAtMs: column.integer(),
      version,
    },
    { key: ['subject'], isWide: true, indexes: { expiry: ['expiresAtMs'] } },
  ),
});
