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

/** Payments that are repeated by a calendar. */
export const SCHEDULES_TABLES = {
  /** A job of the API (spec 2.9): when it runs, and what it pays. */
  schedules: table('schedules', {
    key: ['id'],
    isWide: true,
    indexes: { entity: ['entityId'], due: ['dueAtMs'], card: ['vaultId'] },
    columns: {
      /** 32 lowercase hex that sort by time. */
      id: text(),
      entityId: idOf('entities'),
      /** `suspended`: its work never came to an end; a person looks. */
      state: oneOf('active', 'descheduled', 'ended', 'suspended'),
      /** The row of the vault whose card pays. It may be gone by then. */
      vaultId: text(),
      /** The payment that a run refers to, where it names one. */
      referencedId: optional(text()),
      /** Object (`ScheduledPayment`): what each run pays. Nothing sensitive. */
      payment: json(),
      /** Object: `job.*` as sent. */
      job: json(),
      /** Object (`JobFields`): the fields of the calendar that count. */
      fields: json(),
      /** IANA name. */
      timeZone: text(),
      startMs: integer(),
      /** No run is made after it. */
      endMs: optional(integer()),
      /** Time of the next run, or of the one that is tried again; null: there is none. */
      runAtMs: optional(integer()),
      /** Tries of that run which failed. */
      attempt: integer('>= 0'),
      /** When it is worked on next; while it is claimed, when the lease ends. Null: no more. */
      dueAtMs: optional(integer()),
      /** Who has claimed it. */
      leasedBy: optional(text()),
      /** Claims since work on it last came to an end. */
      claims: integer('>= 0'),
      descheduledAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** A run of a schedule that was made: its key is committed with what is first committed of its payment. */
  scheduleRuns: table('scheduleRuns', {
    key: ['scheduleId', 'runAtMs', 'attempt'],
    indexes: { time: ['scheduleId', 'createdAtMs'] },
    columns: {
      scheduleId: idOf('schedules'),
      runAtMs: integer(),
      attempt: integer('>= 0'),
      /** The payment that it is, or becomes. */
      paymentId: text(),
      /** Whose lease it was made under. */
      leasedBy: text(),
      /** Run times before it that were missed, and are not made. */
      missed: integer('>= 0'),
      createdAtMs,
      version,
    },
  }),

  /** The time zone of an entity; absent: UTC. */
  timeZones: table('timeZones', {
    key: ['entityId'],
    columns: {
      entityId: idOf('entities'),
      /** IANA name. */
      timeZone: text(),
      version,
    },
  }),
};
