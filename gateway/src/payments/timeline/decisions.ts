import type { DecisionRow } from '../../store/rows.js';
import type { Change } from '../../store/store.js';

/** A decision on a payment, as its timeline shows it; nothing sensitive. */
export interface Decision extends Partial<Pick<NonNullableRow, 'rule' | 'code' | 'detail'>> {
  /** What it was about, such as `risk`. */
  readonly step: string;
  /** Who took it: `gateway`, the name of an acquirer, or a person. */
  readonly by: string;
  readonly atMs: number;
}

type NonNullableRow = { readonly [Column in keyof DecisionRow]: NonNullable<DecisionRow[Column]> };

/** The rows of the decisions on a payment, for the commit that the payment is written in. Pure. */
export function decisionChanges(
  { id: paymentId, entityId }: { readonly id: string; readonly entityId: string },
  decisions: readonly Decision[] = [],
): Change[] {
  return decisions.map(({ step, by, atMs, rule = null, code = null, detail = null }, position) => {
    const row: DecisionRow = {
      paymentId,
      position,
      entityId,
      step,
      by,
      rule,
      code,
      detail,
      atMs,
      version: 1,
    };
    return { op: 'insert', table: 'decisions', row };
  });
}

/** The decision that a row holds. */
export function decisionOf({ step, by, atMs, rule, code, detail }: DecisionRow): Decision {
  return {
    step,
    by,
    atMs,
    ...(rule !== null && { rule }),
    ...(code !== null && { code }),
    ...(detail !== null && { detail }),
  };
}
