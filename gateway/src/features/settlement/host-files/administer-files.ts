import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { clearAlert } from '../../../kernel/alerts/alert-changes.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import type { AcquirerFileRow } from '../../../kernel/store/rows.js';
import { CommitConflict, type Store } from '../../../kernel/store/store.js';
import { alertOf } from './quarantine-alert.js';

/** A file of an acquirer as an operator sees it. */
interface AcquirerFileView {
  readonly acquirer: string;
  readonly name: string;
  readonly kind: AcquirerFileRow['kind'];
  readonly state: AcquirerFileRow['state'];
  readonly size: number;
  /** As the place writes it. */
  readonly modified: string;
  readonly rows?: number;
  readonly faults?: readonly string[];
  readonly note?: string;
  /** ISO 8601 UTC. */
  readonly seenAt: string;
}

/** Files that were seen, those of one acquirer or of all, the newest first. @throws StoreUnavailableError */
export async function listAcquirerFiles(
  store: Pick<Store, 'findAfter'>,
  acquirer?: string,
): Promise<readonly AcquirerFileView[]> {
  const rows = (await allRows(store, 'acquirerFiles')).filter(
    (row) => acquirer === undefined || row.acquirer === acquirer,
  );
  return rows.sort((a, b) => b.createdAtMs - a.createdAtMs).map(viewOf);
}

function viewOf(row: AcquirerFileRow): AcquirerFileView {
  const { acquirer, name, kind, state, size, modified, rows, note, createdAtMs } = row;
  const faults = JSON.parse(row.faults) as readonly string[];
  return {
    ...{ acquirer, name, kind, state, size, modified },
    ...present({ rows: rows ?? undefined, note: note ?? undefined }),
    ...(faults.length > 0 && { faults }),
    seenAt: new Date(createdAtMs).toISOString(),
  };
}

/**
 * The new state of a quarantined file: `due`, the next look imports it again; `dropped`, it never is, and a person gives the reason.
 * @throws OperatorError for a file that no look has found, or that was imported or is being looked at
 */
export async function settleAcquirerFile(
  { store, clock }: { readonly store: Pick<Store, 'get' | 'commit'>; readonly clock: Pick<Clock, 'nowMs'> },
  [acquirer, name]: readonly [acquirer: string, name: string],
  to: { readonly state: 'due' } | { readonly state: 'dropped'; readonly note: string },
): Promise<AcquirerFileView> {
  const known = await store.get('acquirerFiles', [acquirer, name]);
  if (!known) throw new OperatorError(`no file ${name} of ${acquirer} was seen: "acquirer files" shows them`);
  if (known.state === 'imported') throw new OperatorError(`${name} of ${acquirer} is imported`);
  const row: AcquirerFileRow = { ...known, note: null, ...to };
  const { code, subject } = alertOf(row);
  try {
    await store.commit([
      { op: 'update', table: 'acquirerFiles', row },
      ...(to.state === 'dropped' ? [clearAlert(code, subject, clock.nowMs())] : []),
    ]);
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw new OperatorError(`${name} of ${acquirer} has just been looked at: look again`);
  }
  return viewOf(row);
}
