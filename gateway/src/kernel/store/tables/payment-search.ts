import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { version } from './columns.js';

/** What finds payments, and adds them up, without an index of each column (gateway/docs/search.md). */
export const PAYMENT_SEARCH_TABLES = tables({
  /** The payments of an entity in a part of an hour: what they add up to, and a filter of the terms that they are found by. */
  paymentSlices: shape(
    {
      entityId: column.idOf('entities'),
      /** `createdAtMs` of its payments: from this time on, and before `toMs`; both within one hour. */
      fromMs: column.integer(),
      toMs: column.integer(),
      count: column.integer('>= 0'),
      /** Array (`SliceTotal`). */
      totals: column.json(),
      /** A Bloom filter, base64. */
      terms: column.text(),
      version,
    },
    { key: ['entityId', 'fromMs'], isWide: true },
  ),

  /** A payment that was stored so late that the slice of its time may stand already; deleted in the commit that makes the slice anew. */
  latePayments: shape(
    {
      paymentId: column.text(),
      entityId: column.idOf('entities'),
      /** `createdAtMs` of the payment. */
      atMs: column.integer(),
      version,
    },
    { key: ['paymentId'], indexes: { time: ['entityId', 'atMs'] } },
  ),
});
