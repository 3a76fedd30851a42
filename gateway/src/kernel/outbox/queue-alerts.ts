import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { alertView } from '../alerts/alert-list.js';
import { alertKind } from '../alerts/alert-table.js';
import type { AlertRow } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import { outboxChange } from './outbox-row.js';

/** Limits of the work on alerts. */
export const ALERT_QUEUE_LIMITS = {
  /** Alerts of one round. */
  batch: 100,
  /** From one round to the next, in milliseconds. */
  intervalMs: 1_000,
} as const;

/** Who receives alerts. */
export interface AlertTargets {
  readonly mailTo: readonly string[];
  readonly webhookUrl?: string;
}

/**
 * Puts what was raised into the outbox, for every target, in the commit that marks it as sent. An alert that ended before that is
 * not sent.
 * @throws StoreUnavailableError
 */
export async function queueAlerts(
  { store, clock }: { readonly store: Pick<Store, 'findRange' | 'commit'>; readonly clock: Clock },
  targets: AlertTargets,
): Promise<void> {
  const nowMs = clock.nowMs();
  const { batch: limit } = ALERT_QUEUE_LIMITS;
  for (const row of await store.findRange('alerts', 'unsent', { below: nowMs + 1, limit })) {
    const messages = row.state === 'open' ? messagesOf(row, targets, nowMs) : [];
    const sent: Change = { op: 'update', table: 'alerts', row: { ...row, unsentSinceMs: null } };
    try {
      await store.commit([sent, ...messages]);
    } catch (error) {
      // Another node was faster, or a person has acknowledged it: the next round looks again.
      if (!(error instanceof CommitConflict)) throw error;
    }
  }
}

function messagesOf(row: AlertRow, { mailTo, webhookUrl }: AlertTargets, nowMs: number): readonly Change[] {
  const { id: subjectId, severity, code, subject, detail, action } = row;
  const about = { kind: 'alert', subjectId, entityId: null } as const;
  const title = `[tillbridge] ${severity}: ${code} (${subject})`;
  const text = alertKind(code)?.text ?? code;
  const since = new Date(row.sinceMs).toISOString();
  const body = `${text}\n\nSubject: ${subject}\nSince: ${since}\nDetail: ${detail}\n\nWhat to do: ${action}\n`;
  const mails = mailTo.map((recipient) =>
    outboxChange({ ...about, channel: 'mail', recipient, title, body }, nowMs),
  );
  if (webhookUrl === undefined) return mails;
  const json = JSON.stringify(alertView(row));
  const post = { ...about, channel: 'webhook', recipient: webhookUrl, title, body: json } as const;
  return [...mails, outboxChange(post, nowMs)];
}
