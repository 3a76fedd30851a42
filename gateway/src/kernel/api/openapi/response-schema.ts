import { RESPONSE_FIELDS, type ResponseField } from '../catalogue/response.js';
import { formatSchema } from './format-schema.js';
import type { Json, JsonObject } from './json.js';
import { COUNT, FLAG, INSTANT, listOf, objectOf, oneOf, TEXT, texts } from './schema-parts.js';

/** A JSON object in the making. */
interface Node {
  readonly properties: Map<string, Node | JsonObject>;
  readonly required: Set<string>;
  /** Schema of members with any name. */
  rest?: JsonObject;
  /** It stands for the entries of a list. */
  isList?: boolean;
}

/** Schema of the payment answer; unknown members are allowed, because clients must bear new ones. */
export function paymentAnswerSchema(): JsonObject {
  const root = newNode();
  for (const field of RESPONSE_FIELDS) place(root, field);
  return schemaOf(root);
}

/** Schema of what every answer has. */
export function envelopeSchema(): JsonObject {
  const root = newNode();
  for (const field of RESPONSE_FIELDS) {
    if (field.always || field.name === 'result.description') place(root, field);
  }
  return schemaOf(root);
}

/** Schema of an alert, an addition of ours. */
export const ALERT_SCHEMA: JsonObject = objectOf(
  {
    ...texts('id', 'code', 'subject', 'entityId'),
    severity: oneOf('critical', 'warning'),
    state: oneOf('open', 'acknowledged', 'cleared'),
    ...texts('text', 'detail', 'action'),
    since: INSTANT,
    acknowledgedAt: INSTANT,
    note: TEXT,
    endedAt: INSTANT,
  },
  ['id', 'code', 'subject', 'severity', 'state', 'detail', 'action', 'since'],
);

/** Schema of a device of the inventory, an addition of ours. */
export const DEVICE_SCHEMA: JsonObject = objectOf(
  {
    ...texts('serial', 'deviceType', 'accountKsn', 'pinKsn', 'entityId', 'agentId', 'terminalId'),
    state: oneOf('inStock', 'active', 'suspended', 'tampered', 'decommissioned'),
    stateSince: INSTANT,
    highestCounter: COUNT,
    failures: COUNT,
    isLocked: FLAG,
  },
  ['serial', 'deviceType', 'accountKsn', 'entityId', 'state', 'stateSince', 'highestCounter'],
);

/** Schema of a command to an agent, an addition of ours. */
export const COMMAND_SCHEMA: JsonObject = objectOf(
  {
    id: TEXT,
    agentId: TEXT,
    action: oneOf('ping', 'flush', 'status', 'cancel-sale'),
    reference: TEXT,
    state: oneOf('waiting', 'done', 'refused', 'expired'),
    result: { type: 'object' },
    requestedBy: TEXT,
    createdAt: INSTANT,
    expiresAt: INSTANT,
    endedAt: INSTANT,
  },
  ['id', 'agentId', 'action', 'state', 'requestedBy', 'createdAt', 'expiresAt'],
);

/** Schema of a payment that a person has to look at, an addition of ours. */
export const REVIEW_SCHEMA: JsonObject = objectOf(
  {
    ...texts('paymentId', 'entityId', 'resultCode'),
    since: INSTANT,
    until: INSTANT,
    decision: oneOf('released', 'refused'),
  },
  ['paymentId'],
);

/** Schema of a payment that the gateway approved by itself, an addition of ours. */
export const STAND_IN_SCHEMA: JsonObject = objectOf(
  {
    ...texts('id', 'entityId', 'paymentId', 'acquirer', 'amount', 'currency', 'approvalCode', 'terminalId'),
    approvedAt: INSTANT,
    advice: oneOf('waiting', 'accepted', 'declined', 'reversed'),
    attempts: COUNT,
    nextAttemptAt: INSTANT,
    responseCode: TEXT,
  },
  ['id', 'entityId', 'acquirer', 'approvalCode', 'approvedAt', 'advice', 'attempts'],
);

/** Schema of an entry of the acquirer simulator's record, an addition of ours. */
export const TRANSACTION_SCHEMA: JsonObject = objectOf(
  {
    ...texts('acquirer', 'acquirerReference', 'messageId', 'kind', 'amount', 'currency'),
    approved: FLAG,
    reversed: FLAG,
    terminalId: TEXT,
    last4Digits: TEXT,
    at: INSTANT,
  },
  ['acquirer', 'acquirerReference', 'kind', 'amount', 'currency', 'approved', 'reversed', 'at'],
);

/** Schema of a refusal for the request's parameters (docs/rest-api.md). */
export const PARAMETER_ERRORS_SCHEMA: JsonObject = objectOf({
  result: objectOf({
    parameterErrors: {
      type: 'array',
      items: objectOf({ name: TEXT, value: { type: ['string', 'null'] }, message: TEXT }, [
        'name',
        'value',
        'message',
      ]),
    },
  }),
});

function newNode(): Node {
  return { properties: new Map(), required: new Set() };
}

function place(root: Node, { name, format, always }: ResponseField): void {
  const isMap = name.endsWith('[key]');
  const parts = name.replace('[key]', '').split('.');
  const leaf = isMap ? undefined : parts.pop();
  let node = root;
  for (const part of parts) {
    const isList = part.endsWith('[n]');
    const member = isList ? part.slice(0, -3) : part;
    if (always) node.required.add(member);
    node = child(node, member);
    node.isList = isList;
  }
  if (leaf === undefined) {
    node.rest = formatSchema(format);
    return;
  }
  node.properties.set(leaf, formatSchema(format));
  if (always) node.required.add(leaf);
}

function child(node: Node, name: string): Node {
  const known = node.properties.get(name);
  if (known && isNode(known)) return known;
  const made = newNode();
  node.properties.set(name, made);
  return made;
}

function schemaOf(node: Node): JsonObject {
  const properties: Record<string, Json> = {};
  for (const [name, value] of node.properties) properties[name] = isNode(value) ? schemaOf(value) : value;
  const schema = {
    type: 'object',
    properties,
    ...(node.required.size > 0 && { required: [...node.required] }),
    additionalProperties: node.rest ?? true,
  };
  return node.isList ? listOf(schema) : schema;
}

function isNode(value: Node | JsonObject): value is Node {
  return value.properties instanceof Map;
}
