import {
  idOf,
  integer,
  json,
  oneOf,
  optional,
  table,
  text,
} from '@tillbridge/protocol/platform/sqlite/table.js';
import { createdAtMs, version } from './columns.js';

/** Events, deliveries, alerts and explanations of operators. */
export const EVENTS_TABLES = {
  /** Something to tell the merchant, as it was when it happened: webhooks and the console read these. */
  events: table('events', {
    key: ['id'],
    isWide: true,
    indexes: { entity: ['entityId'], payment: ['paymentId'], expiry: ['expiresAtMs'] },
    columns: {
      /** 32 lowercase hex that sort by time. */
      id: text(),
      entityId: idOf('entities'),
      kind: text(),
      paymentId: optional(text()),
      /** Of a payment its answer (spec 2.10) and what notifications add to it (spec 6). Nothing sensitive. */
      payload: json(),
      /** When it is forgotten; null: never. */
      expiresAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** What a person must look at (alerts/alert-table.ts): one row for each code and subject. */
  alerts: table('alerts', {
    key: ['id'],
    isWide: true,
    indexes: {
      code: ['code', 'state'],
      state: ['state'],
      entity: ['entityId', 'state'],
      ended: ['endedAtMs'],
      untold: ['untoldSinceMs'],
    },
    columns: {
      /** 32 lowercase hex, made of code and subject. */
      id: text(),
      code: text(),
      /** What it is about, such as an agent or a message. */
      subject: text(),
      /** Whose store it concerns; null where the operator alone is told. */
      entityId: optional(idOf('entities')),
      severity: oneOf('critical', 'warning'),
      /** Nothing sensitive. */
      detail: text(),
      /** What a person does about it. */
      action: text(),
      /** `acknowledged`: a person deals with it. `cleared`: the cause is gone. */
      state: oneOf('open', 'acknowledged', 'cleared'),
      /** When it was raised, for the first time since it last ended. */
      sinceMs: integer(),
      acknowledgedAtMs: optional(integer()),
      /** What the person said. */
      note: optional(text()),
      /** When it was raised, while nobody was told by e-mail or webhook; null after. */
      untoldSinceMs: optional(integer()),
      /** Null while it stands: raising it again then changes nothing. */
      endedAtMs: optional(integer()),
      version,
    },
  }),

  /** A person's word on a difference that the invariant check found and that cannot be mended. */
  explanations: table('explanations', {
    key: ['kind', 'subject'],
    columns: {
      /** Kind of the difference. */
      kind: text(),
      /** What it is about. */
      subject: text(),
      note: text(),
      createdAtMs,
      version,
    },
  }),

  /** Where a merchant's or channel's events are delivered to (gateway/src/webhooks). */
  webhookEndpoints: table('webhookEndpoints', {
    key: ['id'],
    isWide: true,
    indexes: { entity: ['entityId'], state: ['state'] },
    columns: {
      /** 32 lowercase hex. */
      id: text(),
      entityId: idOf('entities'),
      /** Null: its deliveries are fetched by `listen`. */
      url: optional(text()),
      /** Array of types: PAYMENT, REGISTRATION, SCHEDULE, RISK. */
      types: json(),
      /** `reduced`: without the customer, addresses and the cardholder's name. */
      scope: oneOf('all', 'reduced'),
      /** Raw hex, or JSON around it. */
      format: oneOf('hex', 'json'),
      /** `inactive` until a test delivery succeeds. Deliveries of a paused one wait; a removed one gets no more. */
      state: oneOf('inactive', 'active', 'paused', 'removed'),
      /** Array of keys: id, sealed key, and since when it is used. */
      keys: json(),
      /** Why it is paused. */
      note: optional(text()),
      testedAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** The last number that a delivery of an endpoint got: counted in the commits, without gaps. */
  deliveryCounters: table('deliveryCounters', {
    key: ['endpointId'],
    columns: { endpointId: idOf('webhookEndpoints'), lastSequence: integer('>= 0'), version },
  }),

  /** An event that is, or was, delivered to an endpoint. */
  deliveries: table('deliveries', {
    key: ['endpointId', 'sequence'],
    isWide: true,
    indexes: {
      due: ['endpointId', 'dueAtMs'],
      time: ['endpointId', 'createdAtMs'],
      event: ['endpointId', 'eventId'],
      age: ['createdAtMs'],
    },
    columns: {
      endpointId: idOf('webhookEndpoints'),
      sequence: integer('> 0'),
      eventId: text(),
      state: oneOf('waiting', 'delivered', 'givenUp'),
      /** When it is tried next; while it is claimed, when the lease ends. Null: no more. */
      dueAtMs: optional(integer()),
      /** Who has claimed it. */
      leasedBy: optional(text()),
      /** Claims since work on it last came to an end. */
      claims: integer('>= 0'),
      /** Array: time, HTTP status or fault, and duration of each try. */
      attempts: json(),
      /** When it was queued, the last time. */
      sinceMs: integer(),
      createdAtMs,
      version,
    },
  }),
};
