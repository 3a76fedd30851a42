import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { version } from './columns.js';

/** Whether the database was put back from a backup. */
export const RESTORES_TABLES = tables({
  /** The last entry that each home has recorded of what must not be lost: its own file is ahead only if this database was restored. */
  databaseMarks: shape(
    {
      /** Random id of a home, 32 lowercase hex. */
      home: column.text(),
      /** Grows with each note; milliseconds since 1970 where the clock was right. */
      markMs: column.integer(),
      version,
    },
    { key: ['home'] },
  ),

  /** That this database was put back, and what became of it. */
  restoreGaps: shape(
    {
      name: column.text<'database'>(),
      /** The mark of the backup, and the last one before it was put back: what was stored between them is forgotten. Null: no mark. */
      sinceMs: column.optional(column.integer()),
      untilMs: column.integer(),
      foundAtMs: column.integer(),
      /** 1: all that was revoked in between is known, and was revoked again. 0: whatever is older than the gap is held. */
      isWhole: column.flag(),
      /** Object: how many tokens, agents, devices and counters were put right. */
      reapplied: column.json(),
      /** When an operator confirmed the database, and what they say; null: that is to be done. */
      closedAtMs: column.optional(column.integer()),
      note: column.optional(column.text()),
      version,
    },
    { key: ['name'] },
  ),
});
