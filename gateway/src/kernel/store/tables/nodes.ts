import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { version } from './columns.js';

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
