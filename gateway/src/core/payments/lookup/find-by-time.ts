import type { PaymentRow } from '../../../kernel/store/rows.js';
import { rowsByTime } from '../../../kernel/store/rows-by-time.js';
import type { Store } from '../../../kernel/store/store.js';

const INDEX = 'time';

/** Which payments are wanted. */
interface TimeFrame {
  /** Milliseconds since 1970; the end is not in it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Values of columns; absent: any. */
  readonly among?: {
    readonly [Column in keyof PaymentRow]?: readonly PaymentRow[Column][];
  };
}

/**
 * Payments of the entities in a time frame, newest first, whichever entity made them.
 * @param wanted how many are taken most often
 * @throws StoreUnavailableError
 */
export function paymentsByTime(
  store: Pick<Store, 'findRange'>,
  entityIds: readonly string[],
  { fromMs, toMs, among }: TimeFrame,
  wanted?: number,
): AsyncGenerator<PaymentRow, void> {
  const by = { index: INDEX, timeOf: ({ createdAtMs }: PaymentRow) => createdAtMs };
  const range = { from: fromMs, below: toMs, ...(among && { among }) };
  return rowsByTime(store, 'payments', by, entityIds, range, wanted);
}

/**
 * How many payments of the entities a time frame has, up to a limit: what is read does not grow with the table beyond it.
 * @param filled columns that have a value
 * @throws StoreUnavailableError
 */
export async function countByTime(
  store: Pick<Store, 'countRange'>,
  entityIds: readonly string[],
  { fromMs, toMs, among }: TimeFrame,
  limit: number,
  filled: readonly (keyof PaymentRow)[] = [],
): Promise<number> {
  let count = 0;
  for (const entityId of entityIds) {
    if (count >= limit) break;
    count += await store.countRange('payments', INDEX, {
      equals: [entityId],
      from: fromMs,
      below: toMs,
      ...(among && { among }),
      filled,
      limit: limit - count,
    });
  }
  return count;
}
