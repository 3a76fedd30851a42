import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { stamp, version } from './columns.js';

/** Gateways that use this database. */
export const NODES_TABLES = tables({
  /** A gateway process that runs, or has ended without a word: while it is renewed no other node works on what it owns. */
  nodes: shape({
    /** 32 lowercase hex, fresh with each start. */
    id: column.text(),
    /** By the clock of the node; the version shows a renewal. */
    renewedAtMs: column.integer(),
    startedAtMs: column.integer(),
    version,
  }),

  /** A gateway process that has ended: between its last renewal and the time it was noted, where it did not end in order. */
  nodeEnds: shape(
    {
      /** That of its row in `nodes`. */
      id: column.text(),
      startedAtMs: column.integer(),
      renewedAtMs: column.integer(),
      /** `lost`: another process, or the next one, found that its lease was not renewed. */
      ending: column.oneOf('stopped', 'lost'),
      ...stamp,
    },
    { indexes: { age: ['createdAtMs'] } },
  ),

  /** Work that one node at a time does, as long as its lease stands. */
  singleWork: shape(
    {
      name: column.text(),
      /** A node, which may have ended since. */
      owner: column.text(),
      sinceMs: column.integer(),
      version,
    },
    { key: ['name'] },
  ),
});
