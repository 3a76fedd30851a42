import { characters, integer, oneOf, pattern, text } from '../rows/format.js';
import { optional } from '../rows/parameter.js';
import { USER_ROLE_NAMES } from './user-role-names.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));
const EMAIL = optional(
  'email',
  pattern(
    '[^\\s@<>"(),;:]{1,64}@[^\\s@<>"(),;:]{1,189}',
    {
      valid: ['a@b', 'anna.m@shop.example'],
      invalid: ['anna', '@shop.example', 'anna@', 'a b@shop.example', '<a@b>'],
    },
    'an e-mail address',
  ),
);
const PASSWORD = optional('password', text(1, 256), { sensitive: true });
/** Six digits of an authenticator app, or a recovery code. */
const CODE = optional('code', text(1, 32), { sensitive: true });
const INVITATION = optional('invitation', characters('A-Za-z0-9_-', 43, 43), { sensitive: true });

/** Parameters of requests on users of the console and their sessions, additions of ours. */
export const USER_PARAMETERS = {
  signIn: [EMAIL, PASSWORD, CODE],
  invitation: [INVITATION],
  acceptance: [INVITATION, PASSWORD, CODE],
  list: [ENTITY],
  /** Whom to invite, and to what role for which merchant or channel. */
  creation: [ENTITY, EMAIL, optional('name', text(1, 100)), optional('role', oneOf(...USER_ROLE_NAMES))],
  /** The role for an entity from now on. */
  role: [ENTITY, optional('role', oneOf(...USER_ROLE_NAMES, 'none'))],
  one: [ENTITY],
  /** Which part of the record of what was done: the newest, or what came before a place in it. */
  audit: [ENTITY, optional('limit', integer(1, 500)), optional('before', integer(1, 999_999_999_999))],
} as const;
