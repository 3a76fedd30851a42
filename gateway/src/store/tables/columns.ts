import { integer } from '@tillbridge/protocol/platform/sqlite/table.js';

/** 1 when inserted, one more with every update. */
export const version = integer();
/** Milliseconds since 1970. */
export const createdAtMs = integer();
