import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { USER_ROLE_NAMES } from '../../api/catalogue/administration/user-role-names.js';
import { sealed, sealedForNow, stamp, version } from './columns.js';

/** Users of the console, their roles, invitations and sessions. None of these tables is remembered: what changes counts with the next request. */
export const USERS_TABLES = tables({
  /** A person who may sign in. */
  users: shape(
    {
      /** 32 lowercase hex. */
      id: column.text(),
      /** In small letters. */
      email: column.text(),
      name: column.text(),
      /** `invited`: has no password yet, or not any more. `removed`: is kept for the audit, and is no user. */
      state: column.oneOf('invited', 'active', 'removed'),
      /** Sees all merchants. */
      isOperator: column.flag(),
      /** Hash and its parameters (features/console/users/password-hash.ts). */
      password: column.optional(column.text()),
      /** The secret of one-time codes, sealed; null: the user has none. */
      ...sealedForNow,
      /** Time step of the last code that was used: each is taken once. */
      codeStep: column.optional(column.integer()),
      /** Array of hashes of recovery codes that are left. */
      recoveryCodes: column.json(),
      /** Sessions that are older than this get another id. */
      rolesChangedAtMs: column.integer(),
      lastSignInAtMs: column.optional(column.integer()),
      ...stamp,
    },
    { unique: { email: ['email'] }, indexes: { keyId: ['keyId'] }, isWide: true },
  ),

  /** The role of a user for a merchant with its channels, or for one channel. */
  userRoles: shape(
    {
      userId: column.idOf('users'),
      entityId: column.idOf('entities'),
      role: column.oneOf(...USER_ROLE_NAMES),
      ...stamp,
    },
    { key: ['userId', 'entityId'], indexes: { user: ['userId'], entity: ['entityId'] } },
  ),

  /** The invitation of a user, by a link that is good once. */
  userInvitations: shape(
    {
      userId: column.idOf('users'),
      /** Keyed hash of the link's secret, hex. */
      hash: column.text(),
      /** The secret of the one-time codes that the user is to have. */
      ...sealed,
      expiresAtMs: column.integer(),
      ...stamp,
    },
    {
      key: ['userId'],
      unique: { hash: ['hash'] },
      indexes: { expiry: ['expiresAtMs'], keyId: ['keyId'] },
      isWide: true,
    },
  ),

  /** A browser that is signed in. */
  userSessions: shape(
    {
      /** Keyed hash of the value in its cookie, hex. */
      hash: column.text(),
      userId: column.idOf('users'),
      /** When the user signed in: it ends a fixed time later, whatever its id. */
      signedInAtMs: column.integer(),
      /** When a person last did something in it, within a minute. */
      seenAtMs: column.integer(),
      endsAtMs: column.integer(),
      createdAtMs: column.integer(),
      version,
    },
    { key: ['hash'], indexes: { user: ['userId'], expiry: ['endsAtMs'] } },
  ),
});
