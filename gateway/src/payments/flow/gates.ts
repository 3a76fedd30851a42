import type { Echo } from '@tillbridge/protocol/api/echo.js';
import type { AcquirerInstrument } from '../../acquirers/acquirer.js';
import type { ShopperPages } from '../../security/tokens/shopper-addresses.js';
import type { PaymentRequest } from '../decide/requests.js';
import type { WaitCause, Waiting } from '../decide/waits.js';

/**
 * A step between the checks of a payment and the acquirer, such as 3D Secure or a risk check. It may refuse the payment, add to it, or let
 * it wait: then what it keeps is sealed, and it is asked again. A gate moves no money, so each question may be asked again after a crash.
 */
export interface Gate {
  /** Unique; stored with payments that wait at it. */
  readonly name: string;
  /** Looks at a new payment. @throws whatever refuses the payment as a fault of ours: nothing of it is stored yet */
  pass(payment: GatedPayment): Promise<GateVerdict>;
  /**
   * Looks again at one that waits here. At the deadline all but a pass ends it; what is thrown leaves it waiting until then.
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
  /** Where our pages for its shopper are; absent where the gateway has no public address. */
  readonly pages?: ShopperPages;
}

/** What a gate says. */
export type GateVerdict = GatePass | GateRefusal | GateWait;

interface Shown {
  /** What the answers on the payment show from now on, beside what they repeat (spec 2.10), such as `threeDSecure`. */
  readonly shown?: Echo;
}

/** The payment goes on. */
export interface GatePass extends Shown {
  readonly verdict: 'pass';
  /** With what the gate has added. */
  readonly request?: PaymentRequest;
}

/** The payment ends here. */
export interface GateRefusal extends Shown {
  readonly verdict: 'refuse';
  readonly resultCode: string;
}

/** The payment waits here. */
export interface GateWait extends Shown {
  readonly verdict: 'wait';
  readonly waiting: Waiting;
  /** What the gate is told again; JSON. */
  readonly state: unknown;
}

/** What all gates say: the last verdict, with the payment as it then is and all that is shown. */
export type GatesVerdict =
  | { readonly verdict: 'pass'; readonly request: PaymentRequest; readonly shown: Echo }
  | (Omit<GateRefusal, 'shown'> & { readonly shown: Echo })
  | (Omit<GateWait, 'shown'> & {
      readonly shown: Echo;
      readonly gate: string;
      readonly request: PaymentRequest;
    });

/** Asks every gate in turn, until one does not let the payment pass. Terminals and what was decided offline meet none. */
export async function passGates(
  gates: readonly Gate[],
  payment: GatedPayment,
  shown: Echo = {},
): Promise<GatesVerdict> {
  let { request } = payment;
  let all = shown;
  if (request.origin.kind === 'bridge' || request.pos) return { verdict: 'pass', request, shown: all };
  for (const gate of gates) {
    const said = await gate.pass({ ...payment, request });
    all = withShown(all, said.shown);
    if (said.verdict === 'wait') return { ...said, shown: all, gate: gate.name, request };
    if (said.verdict === 'refuse') return { ...said, shown: all };
    request = said.request ?? request;
  }
  return { verdict: 'pass', request, shown: all };
}

/** Asks the gate at which a payment waits, and those behind it once it lets the payment pass. */
export async function askAgain(
  gates: readonly Gate[],
  payment: GatedPayment,
  at: { readonly gate: string; readonly state: unknown },
  why: WaitCause,
): Promise<GatesVerdict> {
  const index = gates.findIndex(({ name }) => name === at.gate);
  const gate = gates[index];
  if (!gate) throw new Error(`payment ${payment.paymentId} waits at gate ${at.gate}, which is not there`);
  const said = await gate.again(payment, at.state, why);
  const shown = withShown({}, said.shown);
  if (said.verdict === 'wait') return { ...said, shown, gate: gate.name, request: payment.request };
  if (said.verdict === 'refuse') return { ...said, shown };
  const passed = { ...payment, request: said.request ?? payment.request };
  return passGates(gates.slice(index + 1), passed, shown);
}

/** An echo with more in it, group by group. */
export function withShown(echo: Echo, more: Echo | undefined): Echo {
  const merged: Echo = { ...echo };
  for (const [group, value] of Object.entries(more ?? {})) {
    const before = merged[group];
    const isGroup = [before, value].every((each) => typeof each === 'object' && !Array.isArray(each));
    merged[group] = isGroup ? { ...(before as Echo), ...(value as Echo) } : value;
  }
  return merged;
}
