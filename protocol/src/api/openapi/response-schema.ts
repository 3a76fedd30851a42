import { RESPONSE_FIELDS, type ResponseField } from '../catalogue/response.js';
import { formatSchema } from './format-schema.js';
import type { Json, JsonObject } from './json.js';

/** A JSON object in the making. */
interface Node {
  readonly properties: Map<string, Node | JsonObject>;
  readonly required: Set<string>;
  /** Schema of members with any name. */
  rest?: JsonObject;
  /** It stands for the entries of a list. */
  isList?: boolean;
}

/** Schema of the payment answer; unknown members are allowed, because clients must bear new ones (spec 9). */
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
export function alertSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  const time: JsonObject = { type: 'string', format: 'date-time' };
  return {
    type: 'object',
    properties: {
      id: text,
      code: text,
      subject: text,
      entityId: text,
      severity: { type: 'string', enum: ['critical', 'warning'] },
      state: { type: 'string', enum: ['open', 'acknowledged', 'cleared'] },
      text,
      detail: text,
      action: text,
      since: time,
      acknowledgedAt: time,
      note: text,
      endedAt: time,
    },
    required: ['id', 'code', 'subject', 'severity', 'state', 'detail', 'action', 'since'],
  };
}

/** Schema of a device of the inventory, an addition of ours. */
export function deviceSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  const count: JsonObject = { type: 'integer', minimum: 0 };
  return {
    type: 'object',
    properties: {
      serial: text,
      deviceType: text,
      accountKsn: text,
      pinKsn: text,
      entityId: text,
      agentId: text,
      terminalId: text,
      state: { type: 'string', enum: ['inStock', 'active', 'suspended', 'tampered', 'decommissioned'] },
      stateSince: { type: 'string', format: 'date-time' },
      highestCounter: count,
      failures: count,
      isLocked: { type: 'boolean' },
    },
    required: ['serial', 'deviceType', 'accountKsn', 'entityId', 'state', 'stateSince', 'highestCounter'],
  };
}

/** Schema of a command to an agent, an addition of ours. */
export function commandSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  const time: JsonObject = { type: 'string', format: 'date-time' };
  return {
    type: 'object',
    properties: {
      id: text,
      agentId: text,
      action: { type: 'string', enum: ['ping', 'flush', 'status', 'cancel-sale'] },
      reference: text,
      state: { type: 'string', enum: ['waiting', 'done', 'refused', 'expired'] },
      result: { type: 'object' },
      requestedBy: text,
      createdAt: time,
      expiresAt: time,
      endedAt: time,
    },
    required: ['id', 'agentId', 'action', 'state', 'requestedBy', 'createdAt', 'expiresAt'],
  };
}

/** Schema of a decision on a payment, an addition of ours. */
export function decisionSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  return {
    type: 'object',
    properties: {
      at: { type: 'string', format: 'date-time' },
      step: text,
      by: text,
      rule: text,
      code: text,
      detail: text,
      paymentId: text,
    },
    required: ['at', 'step', 'by'],
  };
}

/** Schema of a payment that a person has to look at, an addition of ours. */
export function reviewSchema(): JsonObject {
  const time: JsonObject = { type: 'string', format: 'date-time' };
  return {
    type: 'object',
    properties: {
      paymentId: { type: 'string' },
      entityId: { type: 'string' },
      resultCode: { type: 'string' },
      since: time,
      until: time,
      decision: { type: 'string', enum: ['released', 'refused'] },
    },
    required: ['paymentId'],
  };
}

/** Schema of an entry of the acquirer simulator's record, an addition of ours. */
export function transactionSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  const flag: JsonObject = { type: 'boolean' };
  return {
    type: 'object',
    properties: {
      acquirer: text,
      acquirerReference: text,
      messageId: text,
      kind: text,
      amount: text,
      currency: text,
      approved: flag,
      reversed: flag,
      terminalId: text,
      last4Digits: text,
      at: { type: 'string', format: 'date-time' },
    },
    required: ['acquirer', 'acquirerReference', 'kind', 'amount', 'currency', 'approved', 'reversed', 'at'],
  };
}

/** Schema of a refusal for what the request says (reference §4). */
export function parameterErrorsSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  return {
    type: 'object',
    properties: {
      result: {
        type: 'object',
        properties: {
          parameterErrors: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: text, value: { type: ['string', 'null'] }, message: text },
              required: ['name', 'value', 'message'],
            },
          },
        },
      },
    },
  };
}

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
  return node.isList ? { type: 'array', items: schema } : schema;
}

function isNode(value: Node | JsonObject): value is Node {
  return value.properties instanceof Map;
}
