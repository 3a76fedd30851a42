/** Type of a notification (docs/webhooks.md). */
type EventType = 'PAYMENT' | 'REGISTRATION' | 'SCHEDULE' | 'RISK';

/** The types. */
export const EVENT_TYPES: readonly EventType[] = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'];

/** The data of a notification in addition to the payload. */
interface Notified {
  readonly type: EventType;
  /** Of what is kept: absent for a payment. */
  readonly action?: 'CREATED' | 'UPDATED' | 'DELETED';
}

/** The kinds of events that are notified. Events of other kinds are for people alone. */
export const EVENT_KINDS = {
  payment: { type: 'PAYMENT' },
  'offline-sale-declined': { type: 'PAYMENT' },
  'registration-created': { type: 'REGISTRATION', action: 'CREATED' },
  'risk-checked': { type: 'RISK', action: 'CREATED' },
  'risk-decided': { type: 'RISK', action: 'UPDATED' },
  'schedule-created': { type: 'SCHEDULE', action: 'CREATED' },
  'schedule-changed': { type: 'SCHEDULE', action: 'UPDATED' },
  'schedule-ended': { type: 'SCHEDULE', action: 'DELETED' },
  'registration-updated': { type: 'REGISTRATION', action: 'UPDATED' },
  'registration-deleted': { type: 'REGISTRATION', action: 'DELETED' },
} as const satisfies Readonly<Record<string, Notified>>;

/** A kind that is notified. */
export type EventKind = keyof typeof EVENT_KINDS;

/** The notification type of this kind of event; undefined for one that is not notified. */
export function notifiedAs(kind: string): Notified | undefined {
  return Object.hasOwn(EVENT_KINDS, kind) ? EVENT_KINDS[kind as EventKind] : undefined;
}
