import type { DecisionRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

/** A decision on a payment, as its timeline shows it; nothing sensitive. */
export interface Decision extends Partial<Pick<NonNullableRow, 'rule' | 'code' | 'detail'>> {
  /** What it was about, such as `risk`. */
  readonly step: string;
  /** Who took it: `gateway`, the name of an acquirer, or a person. */
  readonly by: string;
  readonly atMs: number;
}

type NonNullableRow = { readonly [Column in keyof DecisionRow]: NonNullable<DecisionRow[Column]> };

/**
 * The rows of the decisions on a payment, for the commit that they are made in. Pure.
 * @param before decisions that stand already
 */
export function decisionChanges(
  { id: paymentId, entityId }: { readonly id: string; readonly entityId: string },
  decisions: readonly Decision[] = [],
  before = 0,
): Change[] {
  return decisions.map(({ step, by, atMs, rule = null, code = null, detail = null }, at) => {
    const row: DecisionRow = {
      paymentId,
      position: before + at,
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
