import { characters, digits, integer, oneOf, text } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

/** Kinds of things that need a person, and what each is. A kind is never renamed: clients filter by it. */
export const INBOX_KINDS = {
  review: 'a payment that a person has to release or refuse',
  'parked-message': 'a message of a store that was parked: nothing of it is carried out',
  'late-decline': 'a payment was approved without the issuer, who has declined it since',
  difference: 'payments, stored answers and the acquirer’s record, totals or files differ',
  'refused-device': 'a device whose sales are refused',
  webhook: 'an endpoint that does not get its events',
  'acquirer-file': 'a file of an acquirer of which nothing counts',
  alert: 'any other alert',
} as const;

/** Kind of a thing that needs a person. */
export type InboxKind = keyof typeof INBOX_KINDS;

/** All kinds. */
export const INBOX_KIND_NAMES = Object.keys(INBOX_KINDS) as readonly InboxKind[];

const [firstKind = 'alert', ...otherKinds] = INBOX_KIND_NAMES;
const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));

/** An addition of ours: what the list of things that need a person may be limited to. */
export const INBOX_LIST_PARAMETERS = [
  ENTITY,
  optional('kind', oneOf(firstKind, ...otherKinds)),
  optional('agentId', characters('A-Za-z0-9._-', 1, 64)),
  optional('severity', oneOf('critical', 'warning')),
  optional('limit', integer(1, 500)),
  // Where the page before ended.
  optional('after', characters('0-9a-z.-', 1, 128)),
] as const;

/** An addition of ours: the one action on a thing that needs a person. */
export const INBOX_RESOLUTION_PARAMETERS = [
  ENTITY,
  optional('note', text(1, 500)),
  optional('decision', oneOf('release', 'refuse', 'retry', 'drop')),
  optional('serial', characters('A-Za-z0-9-', 1, 64)),
  optional('deviceType', characters('A-Z0-9_', 1, 32)),
  optional('terminalId', digits(1, 32)),
] as const;
