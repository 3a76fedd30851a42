import { USER_ROLE_NAMES } from '../catalogue/administration/user-role-names.js';
import type { Json, JsonObject } from './json.js';
import { COUNT, FLAG, INSTANT, listOf, objectOf, oneOf, TEXT, texts } from './schema-parts.js';

const ROLE: JsonObject = oneOf(...USER_ROLE_NAMES);

/** Schema of a user of the console, an addition of ours. */
export const USER_SCHEMA: JsonObject = objectOf(
  {
    ...texts('id', 'email', 'name'),
    state: oneOf('invited', 'active'),
    isOperator: FLAG,
    roles: listOf(objectOf({ entityId: TEXT, role: ROLE }, ['entityId', 'role'])),
    lastSignInAt: INSTANT,
    invitedUntil: INSTANT,
    createdAt: INSTANT,
  },
  ['id', 'email', 'name', 'state', 'isOperator', 'roles', 'createdAt'],
);

/** Who is signed in, an addition of ours: for what, and with which rights. */
export const SESSION_PROPERTIES: Record<string, Json> = {
  user: objectOf({ ...texts('id', 'email', 'name'), isOperator: FLAG }, [
    'id',
    'email',
    'name',
    'isOperator',
  ]),
  roles: listOf(objectOf({ entityId: TEXT, role: ROLE }, ['entityId', 'role'])),
  entities: listOf(
    objectOf(
      { ...texts('id', 'name', 'merchantId'), kind: oneOf('merchant', 'channel'), rights: listOf(TEXT) },
      ['id', 'name', 'kind', 'rights'],
    ),
  ),
  rights: listOf(TEXT),
  recoveryCodes: listOf(TEXT),
};

/** What an invited person needs to accept, an addition of ours. */
export const INVITATION_PROPERTIES: Record<string, Json> = texts(
  'email',
  'name',
  'secret',
  'address',
  'qrCode',
);

/** Schema of a record of the audit, an addition of ours. */
export const AUDIT_RECORD_SCHEMA: JsonObject = objectOf(
  {
    sequence: COUNT,
    at: INSTANT,
    ...texts('actor', 'action', 'subject', 'entityId'),
    outcome: oneOf('begun', 'done', 'failed'),
    detail: { type: 'object' },
  },
  ['sequence', 'at', 'actor', 'action', 'subject', 'outcome', 'detail'],
);
