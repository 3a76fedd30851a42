import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { claimed, stamp, version } from './columns.js';

/** Payments that are repeated by a calendar. */
export const SCHEDULES_TABLES = tables({
  /** A job of the API (docs/schedules.md): when it runs, and what it pays. */
  schedules: shape(
    {
      /** 32 lowercase hex that sort by time. */
      id: column.text(),
      entityId: column.idOf('entities'),
      /** `suspended`: its work never came to an end; a person looks. */
      state: column.oneOf('active', 'descheduled', 'ended', 'suspended'),
      /** The row of the vault whose card pays. It may be gone by then. */
      vaultId: column.text(),
      /** The payment that a run refers to, where it names one. */
      referencedId: column.optional(column.text()),
      /** Object (`ScheduledPayment`): what each run pays. Nothing sensitive. */
      payment: column.json(),
      /** Object: `job.*` as sent. */
      job: column.json(),
      /** Object (`JobFields`): the fields of the calendar that count. */
      fields: column.json(),
      /** IANA name. */
      timeZone: column.text(),
      startMs: column.integer(),
      /** No run is made after it. */
      endMs: column.optional(column.integer()),
      /** Time of the next run, or of the one that is tried again; null: there is none. */
      runAtMs: column.optional(column.integer()),
      /** Tries of that run which failed. */
      attempt: column.integer('>= 0'),
      /** When it is worked on next; while it is claimed, when the lease ends. Null: no more. */
      ...claimed,
      descheduledAtMs: column.optional(column.integer()),
      ...stamp,
    },
    { isWide: true, indexes: { entity: ['entityId'], due: ['dueAtMs'], card: ['vaultId'] } },
  ),

  /** A run of a schedule that was made: its key is committed with what is first committed of its payment. */
  scheduleRuns: shape(
    {
      scheduleId: column.idOf('schedules'),
      runAtMs: column.integer(),
      attempt: column.integer('>= 0'),
      /** The payment that it is, or becomes. */
      paymentId: column.text(),
      /** Whose lease it was made under. */
      leasedBy: column.text(),
      /** Run times before it that were missed, and are not made. */
      missed: column.integer('>= 0'),
      ...stamp,
    },
    { key: ['scheduleId', 'runAtMs', 'attempt'], indexes: { time: ['scheduleId', 'createdAtMs'] } },
  ),

  /** The time zone of an entity; absent: UTC. */
  timeZones: shape(
    {
      entityId: column.idOf('entities'),
      /** IANA name. */
      timeZone: column.text(),
      version,
    },
    { key: ['entityId'] },
  ),
});
