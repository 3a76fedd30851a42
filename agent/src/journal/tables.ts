import type { Schema } from '@tillbridge/platform/sqlite/migrate.js';
import { column, type RowOf, table } from '@tillbridge/platform/sqlite/table.js';

/** The record, row by row. A change needs a migration (sqlite-schema.ts). */
export const ROWS = table(
  'rows',
  {
    row: column.integer(),
    atMs: column.integer(),
    kind: column.text(),
    reference: column.text(),
    terminalId: column.text(),
    messageId: column.optional(column.text()),
    sequence: column.integer(),
    statusOf: column.optional(column.text()),
    /** JSON as it was hashed. */
    data: column.text(),
    hash: column.bytes(),
    blobHash: column.optional(column.bytes()),
  },
  {
    key: ['row'],
    unique: { message: ['messageId'] },
    indexes: { reference: ['reference'], statusOf: ['statusOf'], kind: ['kind', 'row'], at: ['atMs'] },
  },
);

/** What compaction leaves of the rows of a sale. */
export const KEPT = table(
  'kept',
  {
    position: column.integer(),
    reference: column.text(),
    /** JSON list. */
    messageIds: column.text(),
    /** JSON as it was hashed. */
    data: column.text(),
    hash: column.bytes(),
  },
  { key: ['position'], indexes: { reference: ['reference', 'position'] } },
);

/** Message ids of removed rows: they stay taken. */
export const KEPT_MESSAGES = table(
  'keptMessages',
  { messageId: column.text(), reference: column.text() },
  { key: ['messageId'] },
);

/** One row: up to where compaction has removed rows. */
export const REMOVED = table('removed', { toRow: column.integer() }, { key: [] });

/** Sales without a true end: where a boot has to look. */
export const OPEN_SALES = table('openSales', { reference: column.text() }, { key: ['reference'] });

/** Sealed bytes of messages; they can be wiped. */
export const BLOBS = table(
  'blobs',
  { messageId: column.text(), sealed: column.bytes() },
  { key: ['messageId'] },
);

/** What a probe writes and takes away again. */
export const PROBE = table('probe', { filler: column.bytes() }, { key: [] });

/** A row of {@link ROWS} as it is stored. */
export type StoredRow = RowOf<typeof ROWS>;

/** All migrations of the journal, in their order, from 2 on. */
export const JOURNAL_MIGRATIONS: Schema['migrations'] = [];

/** The step of the schema that this build writes; 1 is the first one. */
export const JOURNAL_SCHEMA = JOURNAL_MIGRATIONS.at(-1)?.id ?? 1;
