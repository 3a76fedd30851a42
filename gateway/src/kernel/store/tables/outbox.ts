import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { claimed, stamp } from './columns.js';

/** What a message is about. Each kind is sent by itself: none waits for another one. */
export const OUTBOX_KINDS = ['alert', 'mandate', 'notification', 'receipt'] as const;

/** What is sent to people. */
export const OUTBOX_TABLES = tables({
  /** An e-mail, a post to an operator's webhook, or the call of a payment's `notificationUrl`, in the commit of what it reports (gateway/src/kernel/outbox). */
  outbox: shape(
    {
      /** 32 lowercase hex: the receiver knows by it what came before. */
      id: column.text(),
      channel: column.oneOf('mail', 'webhook'),
      kind: column.oneOf(...OUTBOX_KINDS),
      /** What it is about: a payment, or an alert. */
      subjectId: column.text(),
      /** Whose payment it is about; null: the operator's own. */
      entityId: column.optional(column.idOf('entities')),
      /** E-mail address or URL; empty once nothing is to be sent. */
      recipient: column.text(),
      /** Subject line of an e-mail. */
      title: column.text(),
      /** Text of an e-mail, JSON of a post; empty once nothing is to be sent. */
      body: column.text(),
      state: column.oneOf('waiting', 'sent', 'givenUp'),
      /** When it is tried next; while it is claimed, when the lease ends. Null: no more. */
      ...claimed,
      /** Tries that failed. */
      failures: column.integer('>= 0'),
      ...stamp,
    },
    { isWide: true, indexes: { due: ['kind', 'dueAtMs'], entity: ['entityId'], age: ['createdAtMs'] } },
  ),
});
