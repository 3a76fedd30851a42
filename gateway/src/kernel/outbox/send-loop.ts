import { raiseAlert } from '../alerts/alert-changes.js';
import type { Egress } from '../egress/egress.js';
import { EgressError } from '../egress/egress-error.js';
import type { OutboxRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { OUTBOX_KINDS } from '../store/tables/outbox.js';
import type { ClaimDeps, ClaimLoop, WorkDone } from '../workers/claim-loop.js';
import { claimRows } from '../workers/claim-rows.js';
import type { MailVerdict } from './smtp-mailer.js';

const MINUTE_MS = 60_000;

/** How what could not be sent is tried again. */
export const OUTBOX_RETRIES = {
  /** After the first failures, in milliseconds; then the last of them each time. */
  delaysMs: [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS),
  /** After this time it is given up, in milliseconds: a debit is due within days. */
  giveUpAfterMs: 2 * 24 * 60 * MINUTE_MS,
} as const;

/** What the outbox is emptied with. */
interface SendDeps extends ClaimDeps {
  readonly store: Pick<Store, 'findRange' | 'commit'>;
  /** Absent where no mail server is configured: mails then wait for one. */
  readonly mailer?: { send(row: OutboxRow): Promise<MailVerdict> };
  readonly egress: Pick<Egress, 'send'>;
}

/** Messages of each kind that are sent at once: addresses that merchants name may take their time. */
const CONCURRENCY: Readonly<Record<OutboxRow['kind'], number>> = {
  alert: 2,
  mandate: 2,
  notification: 8,
  receipt: 2,
};

/**
 * Sends what is in the outbox, each kind in its own loop. What was sent and not yet marked so when a process died is sent again, under the
 * same id.
 */
export function sendLoops(deps: SendDeps): Pick<ClaimLoop<OutboxRow>, 'wake' | 'idle' | 'stop'> {
  const loops = OUTBOX_KINDS.map((kind) =>
    claimRows('outbox', {
      ...deps,
      equals: [kind],
      work: async (row) => decideSent(row, await send(deps, row), deps.clock.nowMs()),
      poisoned: (row, nowMs) => givenUp(row, 'it could not be sent to its end', nowMs),
      limits: { concurrency: CONCURRENCY[kind] },
    }),
  );
  return {
    wake: () => {
      for (const loop of loops) loop.wake();
    },
    idle: async () => void (await Promise.all(loops.map((loop) => loop.idle()))),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}

async function send({ mailer, egress }: SendDeps, row: OutboxRow): Promise<MailVerdict> {
  if (row.channel === 'mail')
    return mailer ? mailer.send(row) : { kind: 'failed', why: 'no mail server is configured' };
  const url = row.recipient;
  const headers = { 'idempotency-key': row.id };
  const posted = { 'content-type': 'application/json', ...headers };
  try {
    // A payment's own address is called with the payment's id alone.
    const { status } = await egress.send(
      row.kind === 'notification'
        ? { method: 'GET', url, headers, ignoreAnswer: true }
        : { method: 'POST', url, headers: posted, body: Buffer.from(row.body), ignoreAnswer: true },
    );
    return status >= 200 && status < 300 ? { kind: 'sent' } : { kind: 'failed', why: `status ${status}` };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { kind: 'failed', why: error.code };
  }
}

/** A message after a try: sent, to be tried again, or given up. Nothing of a person is kept once it is not sent any more. Pure. */
function decideSent(row: OutboxRow, verdict: MailVerdict, nowMs: number): WorkDone<OutboxRow> {
  if (verdict.kind === 'sent') return { row: { ...row, ...NOTHING_LEFT, state: 'sent' } };
  const failures = row.failures + 1;
  const { delaysMs, giveUpAfterMs } = OUTBOX_RETRIES;
  const dueAtMs = nowMs + (delaysMs[failures - 1] ?? delaysMs.at(-1) ?? 0);
  const isOver = verdict.kind === 'refused' || dueAtMs - row.createdAtMs > giveUpAfterMs;
  if (!isOver) return { row: { ...row, failures, dueAtMs } };
  const ended = givenUp({ ...row, failures }, verdict.why, nowMs);
  // A shopper may mistype the address of a receipt, or name another's: that is nothing for staff.
  return row.kind === 'receipt' && verdict.kind === 'refused' ? { row: ended.row } : ended;
}

const NOTHING_LEFT = { recipient: '', title: '', body: '', dueAtMs: null } as const;

/** An undeliverable message: it raises an alert, unless it is itself about an alert, which staff see elsewhere, or of the deprecated kind. */
function givenUp(row: OutboxRow, why: string, nowMs: number): WorkDone<OutboxRow> {
  const { kind, channel, subjectId: subject, failures, entityId } = row;
  const detail = `${channel} about ${kind} ${subject}, try ${failures}: ${why}`;
  const about = {
    code: 'message-not-sent',
    subject,
    detail,
    ...(entityId !== null && { entityId }),
  } as const;
  return {
    row: { ...row, ...NOTHING_LEFT, state: 'givenUp' },
    changes: kind === 'alert' || kind === 'notification' ? [] : [raiseAlert(about, nowMs)],
  };
}
