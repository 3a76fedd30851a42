import type { Rows, TableName } from '../store/rows.js';
import type { Change, Key, Store } from '../store/store.js';
import { type Claimable, ClaimLoop, type ClaimLoopDeps } from './claim-loop.js';

/** Tables whose rows are work, with an index `due` that ends with `dueAtMs`. */
type ClaimableTable = { [T in TableName]: Rows[T] extends Claimable ? T : never }[TableName];

/** What the rows of a table are worked on with. */
interface ClaimRowsDeps<R extends Claimable> extends Omit<ClaimLoopDeps<R>, 'update' | 'due'> {
  readonly store: Pick<Store, 'findRange' | 'commit'>;
  /** Values of the columns of the index before the time: these rows alone. */
  readonly equals?: Key;
}

/** A loop that works on the rows of a table when they are due. */
export function claimRows<T extends ClaimableTable>(
  table: T,
  { equals, ...deps }: ClaimRowsDeps<Rows[T] & Claimable>,
): ClaimLoop<Rows[T] & Claimable> {
  return new ClaimLoop<Rows[T] & Claimable>({
    ...deps,
    update: (row) => ({ op: 'update', table, row }) as unknown as Change,
    due: (from, below, page) =>
      deps.store.findRange(table, 'due', { from, below, ...page, ...(equals && { equals }) }),
  });
}
