import type { Change, Store } from '../store/store.js';
import { withCommit } from '../store/with-commit.js';
import { type AuditDeps, type AuditEntry, auditOf } from './audit.js';
import { operatorName } from './operator-name.js';

/** A command of an operator as it was typed. */
export interface CommandLine {
  /** Such as `entity app-schemes`. */
  readonly action: string;
  /** Its first argument, such as the id of an entity. */
  readonly subject?: string;
  /** The options that were given; none of them takes a secret. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The store as a command of an operator uses it: the first of its commits that brings no record carries one. So no command changes anything without
 * a record of it, whether its author thought of that or not.
 */
export function recordedCommand(
  store: Store,
  { action, subject, options }: CommandLine,
  deps: Omit<AuditDeps, 'store'>,
): Store {
  return recordedStore(store, deps, (changes) => {
    return { actor: operatorName(), action, subject: subject ?? idOfNew(changes), detail: options };
  });
}

/** A store for one act, whose first commit that brings no audit record carries the one that `entryOf` makes. */
export function recordedStore(
  store: Store,
  deps: Omit<AuditDeps, 'store'>,
  entryOf: (changes: readonly Change[]) => AuditEntry,
): Store {
  let isRecorded = false;
  return withCommit(store, async (changes) => {
    const brings = changes.some((change) => change.op === 'insert' && change.table === 'audit');
    if (isRecorded || brings) await store.commit(changes);
    else await store.commit([...changes, auditOf(deps, entryOf(changes))]);
    isRecorded = true;
  });
}

/** The id of the first row that is new, where the command names nothing that was there. */
function idOfNew(changes: readonly Change[]): string {
  for (const change of changes)
    if (change.op === 'insert' && 'id' in change.row && typeof change.row.id === 'string')
      return change.row.id;
  return '';
}
