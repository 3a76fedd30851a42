import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { stamp } from './columns.js';

/** Sealed card data and the keys that seal it. */
export const VAULT_TABLES = tables({
  /** A key of the database, itself wrapped under a key-encryption key. One that seals rows is deleted once no row names it. */
  dataKeys: shape(
    {
      /** Made of the key; reveals nothing of it. */
      id: column.text(),
      /** Number of the key-encryption key. */
      kek: column.text(),
      /** AES Key Wrap, hex. */
      wrapped: column.text(),
      /** What it is for: it seals rows, or makes keyed hashes, of card numbers among others, and stays as long as the database. */
      use: column.text<'rows' | 'fingerprints'>(),
      /** 1: seals what is new. Null: retired, it opens what it sealed until that is sealed anew; or it seals nothing. */
      active: column.optional(column.flag()),
      ...stamp,
    },
    { unique: { active: ['active'] } },
  ),

  /** Card data: number, expiry date and holder, sealed. Never a track, a card verification value or a PIN block. */
  vault: shape(
    {
      id: column.text(),
      entityId: column.idOf('entities'),
      /** The intent that it was made for, in the same commit. */
      intentId: column.text(),
      /** The data key that seals it. */
      keyId: column.idOf('dataKeys'),
      /** Hex of the sealed blob. */
      sealed: column.text(),
      /** When the rule of retention looks at it next. */
      dueAtMs: column.integer(),
      ...stamp,
    },
    { isWide: true, indexes: { keyId: ['keyId'], due: ['dueAtMs'] } },
  ),
});
