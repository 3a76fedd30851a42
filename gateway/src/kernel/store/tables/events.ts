import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { claimed, stamp, version } from './columns.js';

/** Events, deliveries, alerts and explanations of operators. */
export const EVENTS_TABLES = tables({
  /** Something to report to the merchant, as it was when it happened: webhooks read these. */
  events: shape(
    {
      /** 32 lowercase hex that sort by time. */
      id: column.text(),
      entityId: column.idOf('entities'),
      kind: column.text(),
      paymentId: column.optional(column.text()),
      /**
       * Of a payment its answer and what notifications add to it (docs/webhooks.md); where the payment is stored, only what its row does not
       * hold (core/payments/events/event-payload.ts). Nothing sensitive.
       */
      payload: column.json(),
      /** When it is forgotten; null: never. */
      expiresAtMs: column.optional(column.integer()),
      ...stamp,
    },
    { isWide: true, indexes: { expiry: ['expiresAtMs'] } },
  ),

  /** What a person must look at (alerts/alert-table.ts): one row for each code and subject. */
  alerts: shape(
    {
      /** 32 lowercase hex, made of code and subject. */
      id: column.text(),
      code: column.text(),
      /** What it is about, such as an agent or a message. */
      subject: column.text(),
      /** Whose store it concerns; null where it is for the operator alone. */
      entityId: column.optional(column.idOf('entities')),
      severity: column.oneOf('critical', 'warning'),
      /** Nothing sensitive. */
      detail: column.text(),
      /** What a person does about it. */
      action: column.text(),
      /** `acknowledged`: a person deals with it. `cleared`: the cause is gone. */
      state: column.oneOf('open', 'acknowledged', 'cleared'),
      /** When it was raised, for the first time since it last ended. */
      sinceMs: column.integer(),
      acknowledgedAtMs: column.optional(column.integer()),
      /** The person's note. */
      note: column.optional(column.text()),
      /** When it was raised, until an e-mail or webhook was queued; null after. */
      unsentSinceMs: column.optional(column.integer()),
      /** Null while it stands: raising it again then changes nothing. */
      endedAtMs: column.optional(column.integer()),
      version,
    },
    {
      isWide: true,
      indexes: {
        code: ['code', 'state'],
        state: ['state'],
        entity: ['entityId', 'state'],
        ended: ['endedAtMs'],
        unsent: ['unsentSinceMs'],
      },
    },
  ),

  /** A person's word on a difference that the invariant check found and that cannot be mended. */
  explanations: shape(
    {
      /** Kind of the difference. */
      kind: column.text(),
      /** What it is about. */
      subject: column.text(),
      note: column.text(),
      ...stamp,
    },
    { key: ['kind', 'subject'] },
  ),

  /** Where a merchant's or channel's events are delivered to (gateway/src/features/webhooks). */
  webhookEndpoints: shape(
    {
      /** 32 lowercase hex. */
      id: column.text(),
      entityId: column.idOf('entities'),
      /** Null: its deliveries are fetched by `listen`. */
      url: column.optional(column.text()),
      /** Array of types: PAYMENT, REGISTRATION, SCHEDULE, RISK. */
      types: column.json(),
      /** `reduced`: without the customer, addresses and the cardholder's name. */
      scope: column.oneOf('all', 'reduced'),
      /** Raw hex, or JSON around it. */
      format: column.oneOf('hex', 'json'),
      /** `inactive` until a test delivery succeeds. Deliveries of a paused one wait; a removed one gets no more. */
      state: column.oneOf('inactive', 'active', 'paused', 'removed'),
      /** Array of keys: id, sealed key, and since when it is used. */
      keys: column.json(),
      /** Why it is paused. */
      note: column.optional(column.text()),
      testedAtMs: column.optional(column.integer()),
      ...stamp,
    },
    { isWide: true, indexes: { entity: ['entityId'], state: ['state'] } },
  ),

  /** The last number that a delivery of an endpoint got: counted in the commits, without gaps. */
  deliveryCounters: shape(
    {
      endpointId: column.idOf('webhookEndpoints'),
      lastSequence: column.integer('>= 0'),
      version,
    },
    { key: ['endpointId'] },
  ),

  /** An event that is, or was, delivered to an endpoint. */
  deliveries: shape(
    {
      endpointId: column.idOf('webhookEndpoints'),
      sequence: column.integer('> 0'),
      eventId: column.text(),
      state: column.oneOf('waiting', 'delivered', 'givenUp'),
      /** When it is tried next; while it is claimed, when the lease ends. Null: no more. */
      ...claimed,
      /** Array: time, HTTP status or fault, and duration of each try. */
      attempts: column.json(),
      /** When it was queued, the last time. */
      sinceMs: column.integer(),
      ...stamp,
    },
    {
      key: ['endpointId', 'sequence'],
      isWide: true,
      indexes: {
        due: ['endpointId', 'dueAtMs'],
        time: ['endpointId', 'createdAtMs'],
        event: ['endpointId', 'eventId'],
        age: ['createdAtMs'],
      },
    },
  ),
});
