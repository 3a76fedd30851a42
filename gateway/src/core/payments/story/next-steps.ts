import { decideFollowUp, type FollowUpFacts, mostOf } from '@tillbridge/wire/payment/decide-follow-up.js';
import { type FollowUp, LIFECYCLE, UNSUITABLE } from '@tillbridge/wire/payment/lifecycle.js';
import { present } from '@tillbridge/wire/present.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { FOLLOW_UP_ROWS } from '../rules/follow-up-rows.js';
import { echoOf, followedPayment, isChargebackClaimed, lifecycleIdOf } from '../rules/lifecycle-facts.js';

/** What a request adds to the rows of the payment that it follows. */
type RequestFacts = Omit<FollowUpFacts, 'target' | 'root' | 'rootLifecycleId' | 'chargedBack'>;

/** May this follow? Decides by the tables of the lifecycle, and by the rows of the payment that is named and of its root. Pure. */
export function decideByRows(target: PaymentRow, root: PaymentRow, request: RequestFacts) {
  const decided = decideFollowUp(factsOf(target, root, request));
  const lacksCard = decided.ok && FOLLOW_UP_ROWS[request.followUp].withCard && root.vaultId === null;
  return lacksCard ? ({ ok: false, resultCode: UNSUITABLE } as const) : decided;
}

function factsOf(target: PaymentRow, root: PaymentRow, request: RequestFacts): FollowUpFacts {
  return {
    ...request,
    target: { ...followedPayment(target), brand: target.brand ?? root.brand },
    root: followedPayment(root),
    rootLifecycleId: lifecycleIdOf(echoOf(root)),
    chargedBack: isChargebackClaimed(root),
  };
}

/** What a person may want to do with a payment next. */
const OFFERED = ['CP', 'RF', 'RV', 'INCREMENTAL_AUTH'] as const satisfies readonly FollowUp[];

/** Whether a follow-up may come now. */
export interface NextStep {
  readonly followUp: (typeof OFFERED)[number];
  /** Its `paymentType`. */
  readonly type: string;
  readonly isAllowed: boolean;
  /** What it may move at most, minor units; absent where it may not come, or nothing limits it. */
  readonly mostMinor?: number;
  /** The code that it would be refused with now. */
  readonly resultCode?: string;
}

/** What can be done with a payment now, and why not, by the rules that decide on the request itself. Pure. */
export function nextSteps(target: PaymentRow, root: PaymentRow, nowMs: number): readonly NextStep[] {
  return OFFERED.map((followUp) => {
    const request = { followUp, nowMs, busy: root.lockedBy !== null };
    const mostMinor = mostOf(factsOf(target, root, request));
    const { kind } = LIFECYCLE[followUp].amount;
    // A reversal names no amount. Of others the least amount shows whether there is anything left.
    const amountMinor = kind === 'whole' ? undefined : Math.max(1, mostMinor ?? 1);
    const decided = decideByRows(target, root, { ...request, amountMinor });
    const step = { followUp, type: LIFECYCLE[followUp].type };
    return decided.ok
      ? { ...step, isAllowed: true, ...present({ mostMinor }) }
      : { ...step, isAllowed: false, resultCode: decided.resultCode };
  });
}
