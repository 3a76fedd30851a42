import { createHash } from 'node:crypto';
import type { OutboxRow } from '../store/rows.js';
import type { Change } from '../store/store.js';

/** Limits of what is sent. */
const OUTBOX_LIMITS = {
  /** Characters of a title at most. */
  title: 200,
  /** Characters of a body at most. */
  body: 8_000,
} as const;

/** What is sent. */
type NewMessage = Pick<
  OutboxRow,
  'channel' | 'kind' | 'subjectId' | 'entityId' | 'recipient' | 'title' | 'body'
>;

/** The change that puts a message into the outbox, due at once: one for each kind, subject, time and recipient. */
export function outboxChange(message: NewMessage, nowMs: number): Change {
  const { channel, kind, subjectId, recipient, title, body } = message;
  const named = JSON.stringify([channel, kind, subjectId, recipient, nowMs]);
  const row: OutboxRow = {
    ...message,
    id: createHash('sha256').update(named).digest('hex').slice(0, 32),
    title: oneLine(title).slice(0, OUTBOX_LIMITS.title),
    body: body.slice(0, OUTBOX_LIMITS.body),
    state: 'waiting',
    dueAtMs: nowMs,
    leasedBy: null,
    claims: 0,
    failures: 0,
    createdAtMs: nowMs,
    version: 1,
  };
  return { op: 'insert', table: 'outbox', row };
}

/** A text without line breaks and other control characters: a line of a header cannot end early. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** A plain address: one, without a name, comment or quotes, so that nothing in it means anything to a mail server. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** Whether a text is an e-mail address that is written to. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}
