import { column } from '@tillbridge/protocol/platform/sqlite/table.js';

/** 1 when inserted, one more with every update. */
export const version = column.integer();
/** Milliseconds since 1970. */
export const createdAtMs = column.integer();
