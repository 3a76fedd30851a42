import type { PaymentRow } from '../../../kernel/store/rows.js';
import { assertAmounts } from './amount-rules.js';
import { FOLLOW_UP_ROWS, ROWS_BY_TYPE } from './follow-up-rows.js';
import { paymentTypeOf } from './lifecycle-facts.js';
import type { FollowUpType } from './requests.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';

/** A follow-up that the acquirer carried out. */
interface CarriedOut {
  readonly type: FollowUpType;
  readonly target: PaymentRow;
  readonly root: PaymentRow;
  readonly amountMinor: number;
  /** No further capture or refund. */
  readonly final: boolean;
}

/** The rows that changed: the root always, the target too where it is another row. */
interface Applied {
  readonly root: PaymentRow;
  readonly target?: PaymentRow;
}

/** Amounts and states after a follow-up. Pure; @throws Error when an amount rule would be broken: decide first. */
export function applyFollowUp(done: CarriedOut): Applied {
  const applied = apply(done);
  assertAmounts(applied.root);
  if (applied.target) assertAmounts(applied.target);
  return applied;
}

function apply({ type, target, root, amountMinor, final }: CarriedOut): Applied {
  const isRoot = target.id === root.id;
  const { effect } = FOLLOW_UP_ROWS[type];
  if (!effect) return { root };
  switch (effect) {
    case 'captures':
      return { root: captured(root, amountMinor, final) };
    case 'refunds':
      return {
        root: final ? withRefundsClosed(refunded(root, amountMinor), true) : refunded(root, amountMinor),
        ...(!isRoot && { target: refunded(target, amountMinor) }),
      };
    case 'adds':
      return { root: { ...root, authorizedMinor: root.authorizedMinor + amountMinor } };
    case 'reverses':
      if (isRoot) return { root: reversed(root, amountMinor) };
      return {
        root:
          ROWS_BY_TYPE.get(target.type)?.effect === 'refunds'
            ? withRefundsClosed(refunded(root, -amountMinor), false)
            : uncaptured(root, target, amountMinor),
        target: { ...target, capturedMinor: 0, state: 'reversed' },
      };
  }
}

function captured(root: PaymentRow, amountMinor: number, final: boolean): PaymentRow {
  return {
    ...root,
    state: 'captured',
    capturedMinor: root.capturedMinor + amountMinor,
    captureCount: root.captureCount + 1,
    capturesClosed: final ? 1 : root.capturesClosed,
  };
}

function refunded(payment: PaymentRow, amountMinor: number): PaymentRow {
  return { ...payment, refundedMinor: payment.refundedMinor + amountMinor };
}

function withRefundsClosed(payment: PaymentRow, refundsClosed: boolean): PaymentRow {
  return { ...payment, ...verificationColumn({ ...verificationResultsOf(payment), refundsClosed }) };
}

/** A capture is reversed, as if it had not been: the preauthorization holds the money again. */
function uncaptured(root: PaymentRow, capture: PaymentRow, amountMinor: number): PaymentRow {
  const capturedMinor = root.capturedMinor - amountMinor;
  return {
    ...root,
    capturedMinor,
    state: capturedMinor > 0 ? 'captured' : 'authorized',
    captureCount: root.captureCount - 1,
    capturesClosed: capture.capturesClosed === 1 ? 0 : root.capturesClosed,
  };
}

function reversed(root: PaymentRow, amountMinor: number): PaymentRow {
  const reversedMinor = root.reversedMinor + amountMinor;
  if (paymentTypeOf(root) === 'PA') {
    return { ...root, reversedMinor, state: root.capturedMinor > 0 ? 'captured' : 'reversed' };
  }
  return { ...root, reversedMinor, capturedMinor: 0, state: 'reversed' };
}
