import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { createdAtMs, stamp, version } from './columns.js';

/** Merchants, their settings and tokens. */
export const MERCHANTS_TABLES = tables({
  /** A merchant or one of its channels; a PSP or one of its divisions, which merchants stand under (`settlementAccounts`). */
  entities: shape(
    {
      /** 32 lowercase hex. */
      id: column.text(),
      kind: column.oneOf('merchant', 'channel', 'psp', 'division'),
      /** The merchant of a channel, the PSP of a division. */
      parentId: column.optional(column.idOf('entities')),
      name: column.text(),
      /** `legacy` takes what clients of older integrations send in addition to the specification. */
      compatibility: column.oneOf('specification', 'legacy'),
      ...stamp,
    },
    { indexes: { parent: ['parentId'], kind: ['kind'] } },
  ),

  /** How a merchant's payments are routed to its channels; absent where they are not. */
  routing: shape(
    {
      merchantId: column.idOf('entities'),
      /** Array of rules in the order they are tried (payments/routing/routing-rules.ts). */
      rules: column.json(),
      version,
    },
    { key: ['merchantId'] },
  ),

  /** Whether an entity's cardholders are authenticated on payments with a card that they typed in; absent: they are not. */
  threeDSecureSettings: shape(
    { entityId: column.idOf('entities'), active: column.flag(), version },
    { key: ['entityId'] },
  ),

  /** Schemes of apps that shoppers of an entity may be sent back to; absent: none. */
  appSchemes: shape(
    {
      entityId: column.idOf('entities'),
      /** Array of schemes in small letters. */
      schemes: column.json(),
      version,
    },
    { key: ['entityId'] },
  ),

  /** What the stores of a merchant or channel may do; absent where nothing is limited but by the compiled maxima. */
  storePolicies: shape(
    {
      entityId: column.idOf('entities'),
      /** Object (`StorePolicy`). Its version is the highest of the database when it was set. */
      policy: column.json(),
      updatedAtMs: column.integer(),
      version,
    },
    { key: ['entityId'] },
  ),

  /** A fact about the database as a whole. */
  settings: shape(
    {
      /**
       * `mode`: test or live, whichever took it first. `store-policies`: the highest version of a store policy. `psp`: id of the PSP of
       * merchants that stand under no other. `database`: a random id of the database. `key/…`: the check of a key that all nodes share.
       */
      name: column.text<'mode' | 'store-policies' | 'psp' | 'database' | `key/${string}`>(),
      value: column.text(),
      version,
    },
    { key: ['name'] },
  ),

  /** An access token, known by its keyed hash alone. */
  tokens: shape(
    {
      id: column.text(),
      /** HMAC-SHA-256 of the token under the home's token key, hex. */
      hash: column.text(),
      /** The token itself, sealed, hex. */
      sealed: column.optional(column.text()),
      entityId: column.idOf('entities'),
      /** The merchant of the entity, which never changes: all of its tokens share one rate. */
      merchantId: column.idOf('entities'),
      label: column.text(),
      /** Array of rights. */
      rights: column.json(),
      createdAtMs,
      lastUsedAtMs: column.optional(column.integer()),
      revokedAtMs: column.optional(column.integer()),
      version,
    },
    { unique: { hash: ['hash'] }, indexes: { entity: ['entityId'] } },
  ),

  /** What was done with tokens, keys, devices, users and by users, and by whom. Rows are never deleted, and never changed: they form a hash chain. */
  audit: shape(
    {
      /** 32 lowercase hex that sort by time. */
      id: column.text(),
      /** User of the operating system; over REST `token ` and the id of the access token, or `user ` and the id of the user. */
      actor: column.text(),
      /** The command, such as `token create`. */
      action: column.text(),
      /** Id of the token, key, device or user. */
      subject: column.text(),
      /** `begun`: work whose end is another record, or that the process ended before. */
      outcome: column.oneOf('begun', 'done', 'failed'),
      /** The record of the beginning, where this one is of its end. */
      endOf: column.optional(column.text()),
      /** The merchant or channel that it is about; null: the gateway itself. */
      entityId: column.optional(column.text()),
      /** Object, nothing secret. */
      detail: column.json(),
      /** Its place in the chain, from 1; null: from before there was one. */
      sequence: column.optional(column.integer()),
      /** HMAC-SHA-256 over the one before and this row, 32 letters (kernel/audit/audit-chain.ts). */
      link: column.optional(column.text()),
      ...stamp,
    },
    {
      isWide: true,
      unique: { sequence: ['sequence'] },
      indexes: { entity: ['entityId', 'sequence'] },
    },
  ),
});
