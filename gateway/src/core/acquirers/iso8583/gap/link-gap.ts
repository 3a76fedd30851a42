import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { clearAlert, raiseAlert } from '../../../../kernel/alerts/alert-changes.js';
import { OperatorError } from '../../../../kernel/errors/operator-error.js';
import type { LinkGapRow } from '../../../../kernel/store/rows.js';
import { CommitConflict, type Store } from '../../../../kernel/store/store.js';
import type { LinkCheckpoint } from '../../../../security/restored-database/restore-watch.js';

const ALERT = 'acquirer-link-restored';
/** How far the clock of an agent may be ahead of ours, in milliseconds. */
const CLOCK_SLACK_MS = 10 * 60_000;
/** Hex digits of the time in a message id (RFC 9562 §5.7). */
const TIME_DIGITS = 12;

/** What gaps are found and closed with. */
interface LinkGapDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Name of the acquirer. */
  readonly acquirer: string;
}

/**
 * Looks whether the database has forgotten an exchange that this node had journaled: then it was put back from a backup, and what its host has
 * carried out since is unknown here. That is stored, with an alert, until an operator closes the gap. @throws StoreUnavailableError
 */
export async function findGap(
  { store, clock, acquirer }: LinkGapDeps,
  checkpoint: Pick<LinkCheckpoint, 'last'>,
): Promise<void> {
  const lastSequence = checkpoint.last();
  if (lastSequence === undefined) return;
  for (;;) {
    const [known] = await store.find('linkExchanges', 'sequence', [acquirer, lastSequence], { limit: 1 });
    const gap = await store.get('linkGaps', [acquirer]);
    if (known || gap?.lastSequence === lastSequence) return;
    const newest = { equals: [acquirer], descending: true, limit: 1 };
    const [before] = await store.findRange('linkExchanges', 'sequence', newest);
    const since = before ? `since ${new Date(before.createdAtMs).toISOString()}` : 'of all time';
    const detail = `exchanges ${since} are forgotten, up to number ${lastSequence}`;
    const numbers = await store.get('linkNumbers', [acquirer]);
    const nextSequence = Math.max(numbers?.nextSequence ?? 0, lastSequence + 1);
    const foundAtMs = clock.nowMs();
    const row = {
      acquirer,
      lastSequence,
      foundAtMs,
      closedAtMs: null,
      note: null,
      version: gap?.version ?? 1,
    };
    const behind = { acquirer, nextSequence, version: numbers?.version ?? 1 };
    try {
      await store.commit([
        { op: gap ? 'update' : 'insert', table: 'linkGaps', row },
        { op: numbers ? 'update' : 'insert', table: 'linkNumbers', row: behind },
        raiseAlert({ code: ALERT, subject: acquirer, detail }, foundAtMs),
      ]);
      return;
    } catch (error) {
      // Another node found one, or took numbers.
      if (!(error instanceof CommitConflict)) throw error;
    }
  }
}

/** The gap that stands; undefined where there is none. @throws StoreUnavailableError */
async function openGap(store: Pick<Store, 'get'>, acquirer: string): Promise<LinkGapRow | undefined> {
  const row = await store.get('linkGaps', [acquirer]);
  return row?.closedAtMs === null ? row : undefined;
}

/**
 * Whether a request without a record may have been carried out before a gap that stands: a request of an agent that may come again, by the time of its
 * message, any other by that of its intent.
 * @param messageId of a request that may have come before
 * @throws StoreUnavailableError
 */
export async function isPerhapsForgotten(
  { store, acquirer }: Pick<LinkGapDeps, 'store' | 'acquirer'>,
  reference: string,
  messageId?: string,
): Promise<boolean> {
  const gap = await openGap(store, acquirer);
  if (!gap) return false;
  if (messageId !== undefined) return mayBeForgotten(gap, messageId);
  const intent = await store.get('intents', [reference]);
  if (!intent) return true;
  // Its message comes again, and its intent is as young as the last time.
  const { recovery } = JSON.parse(intent.detail) as { readonly recovery?: string };
  if (recovery === 'await-agent' && intent.messageId !== null) return mayBeForgotten(gap, intent.messageId);
  return intent.createdAtMs < gap.foundAtMs;
}

function mayBeForgotten({ foundAtMs }: LinkGapRow, messageId: string): boolean {
  const atMs = Number.parseInt(messageId.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
  // An id without a time proves nothing.
  return !(atMs > foundAtMs + CLOCK_SLACK_MS);
}

/** Lets go on what was held because of a gap. @throws OperatorError where none stands, or another operator was faster */
export async function closeGap({ store, clock, acquirer }: LinkGapDeps, note: string): Promise<LinkGapRow> {
  const open = await openGap(store, acquirer);
  if (!open) throw new OperatorError(`nothing of ${acquirer} is known to be forgotten`);
  const closedAtMs = clock.nowMs();
  const row = { ...open, closedAtMs, note };
  try {
    await store.commit([{ op: 'update', table: 'linkGaps', row }, clearAlert(ALERT, acquirer, closedAtMs)]);
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw new OperatorError(`the gap of ${acquirer} has just been changed: look again`);
  }
  return row;
}
