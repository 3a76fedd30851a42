import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { clearAlert } from '../../kernel/alerts/alert-changes.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { unlessConflict } from '../../kernel/store/decide-again.js';
import type { Store } from '../../kernel/store/store.js';
import { DIFFERENCE_KINDS, type DifferenceKind } from './difference.js';
import { DIFFERENCE_ALERT } from './invariant-check.js';

/** A difference that cannot be corrected, and why it remains. */
export interface Explained {
  readonly kind: string;
  readonly subject: string;
  /** For those who look later. */
  readonly note: string;
}

/**
 * Records why a difference remains: it is counted no more, and its alert ends.
 * @returns false where it was explained before: the first note stays
 * @throws OperatorError for an unknown kind; StoreUnavailableError
 */
export async function explainDifference(
  { store, clock }: { readonly store: Pick<Store, 'get' | 'commit'>; readonly clock: Pick<Clock, 'nowMs'> },
  { kind, subject, note }: Explained,
): Promise<boolean> {
  if (!Object.hasOwn(DIFFERENCE_KINDS, kind))
    throw new OperatorError(`${kind} is no kind of difference: ${Object.keys(DIFFERENCE_KINDS).join(', ')}`);
  if (await store.get('explanations', [kind as DifferenceKind, subject])) return false;
  const row = { kind, subject, note, createdAtMs: clock.nowMs(), version: 1 };
  return unlessConflict(async () => {
    await store.commit([
      { op: 'insert', table: 'explanations', row },
      clearAlert(DIFFERENCE_ALERT, `${kind} ${subject}`, clock.nowMs()),
    ]);
    return true;
  }, false);
}
