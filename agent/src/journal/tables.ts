import {
  bytes,
  integer,
  optional,
  type RowOf,
  table,
  text,
} from '@tillbridge/protocol/platform/sqlite/table.js';

/** The record, row by row. A change needs a migration (sqlite-schema.ts). */
export const ROWS = table('rows', {
  key: ['row'],
  unique: { message: ['messageId'] },
  indexes: { reference: ['reference'], statusOf: ['statusOf'], kind: ['kind', 'row'], at: ['atMs'] },
  columns: {
    row: integer(),
    atMs: integer(),
    kind: text(),
    reference: text(),
    terminalId: text(),
    messageId: optional(text()),
    sequence: integer(),
    statusOf: optional(text()),
    /** JSON as it was hashed. */
    data: text(),
    hash: bytes(),
    blobHash: optional(bytes()),
  },
});

/** What compaction leaves of the rows of a sale. */
export const KEPT = table('kept', {
  key: ['position'],
  indexes: { reference: ['reference', 'position'] },
  columns: {
    position: integer(),
    reference: text(),
    /** JSON list. */
    messageIds: text(),
    /** JSON as it was hashed. */
    data: text(),
    hash: bytes(),
  },
});

/** Message ids of removed rows: they stay taken. */
export const KEPT_MESSAGES = table('keptMessages', {
  key: ['messageId'],
  columns: { messageId: text(), reference: text() },
});

/** One row: up to where compaction has removed rows. */
export const REMOVED = table('removed', { key: [], columns: { toRow: integer() } });

/** Sales without a true end: where a boot has to look. */
export const OPEN_SALES = table('openSales', { key: ['reference'], columns: { reference: text() } });

/** Sealed bytes of messages; they can be wiped. */
export const BLOBS = table('blobs', { key: ['messageId'], columns: { messageId: text(), sealed: bytes() } });

/**
 * A whole transaction as one row of JSON texts. It is a view (sqlite-schema.ts): an insert goes to the tables, and SQLite compiles it
 * once, not once for each sale's step.
 */
export const APPENDS = table('appends', {
  key: [],
  columns: {
    /** Array of rows, each an array in the order of their columns; bytes as hex. */
    rows: text(),
    /** Arrays of references: sales that become open, and those that end. */
    opened: text(),
    closed: text(),
    /** Array of message ids. */
    wiped: text(),
    /** Array of pairs of message id and sealed bytes as hex. */
    blobs: text(),
  },
});

/** What a probe writes and takes away again. */
export const PROBE = table('probe', { key: [], columns: { filler: bytes() } });

/** A row of {@link ROWS} as it is stored. */
export type StoredRow = RowOf<typeof ROWS>;
