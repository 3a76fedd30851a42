import type { Echo } from '../../../kernel/api/echo.js';
import type { AcquirerInstrument } from '../../acquirers/acquirer.js';
import type { PaymentRequest } from '../rules/requests.js';
import type { WaitCause, Waiting } from '../rules/waits.js';
import type { Decision } from '../timeline/decisions.js';

/**
 * A step between the checks of a payment and the acquirer, such as 3D Secure or a risk check. It may refuse the payment, add to it, or let
 * it wait: then its state is sealed, and it is called again. A gate moves no money, so each call may be repeated after a crash.
 */
export interface Gate {
  /** Unique; stored with payments that wait at it. */
  readonly name: string;
  /** Looks at a new payment. @throws whatever refuses the payment as a fault of ours: nothing of it is stored yet */
  pass(payment: GatedPayment): Promise<GateVerdict>;
  /**
   * Looks again at one that waits here. At the deadline all but a pass ends it; what is thrown leaves it waiting until then, and a store that is
   * not available beyond it.
   * @param state what the last verdict kept
   */
  again(payment: GatedPayment, state: unknown, why: WaitCause): Promise<GateVerdict>;
}

/** A payment at a gate. Memory only. */
export interface GatedPayment {
  readonly paymentId: string;
  /** As the gates before have left it. */
  readonly request: PaymentRequest;
  readonly instrument: AcquirerInstrument;
}

/** A gate's decision. */
export type GateVerdict = GatePass | GateRefusal | GateWait;

interface Shown {
  /** What the answers on the payment show from now on, in addition to what they repeat, such as `threeDSecure`. */
  readonly shown?: Echo;
  /** What was decided, for the timeline. Absent: one entry where the payment does not simply pass. */
  readonly decisions?: readonly GateDecision[];
}

/** An entry of the timeline; its step is the gate, and by default the gateway took the decision. */
export type GateDecision = Partial<Pick<Decision, 'by' | 'rule' | 'code' | 'detail'>>;

/** The payment goes on. */
interface GatePass extends Shown {
  readonly verdict: 'pass';
  /** With what the gate has added. */
  readonly request?: PaymentRequest;
}

/** The payment ends here. */
export interface GateRefusal extends Shown {
  readonly verdict: 'refuse';
  readonly resultCode: string;
  /** Which field was refused and why, for the merchant; nothing of its content. */
  readonly detail?: string;
}

/** The payment waits here. */
export interface GateWait extends Shown {
  readonly verdict: 'wait';
  readonly waiting: Waiting;
  /** With what the gate has added. */
  readonly request?: PaymentRequest;
  /** The gate's own state, for its next call; JSON. */
  readonly state: unknown;
}
