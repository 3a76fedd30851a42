import type { Echo } from '@tillbridge/protocol/api/echo.js';
import type { PaymentRequest } from '../decide/requests.js';
import type { WaitCause } from '../decide/waits.js';
import type { Gate, GatedPayment, GateRefusal, GateWait } from '../gates/gate.js';

/** What all gates say: the last verdict, with the payment as it then is and all that is shown. */
export type GatesVerdict =
  | { readonly verdict: 'pass'; readonly request: PaymentRequest; readonly shown: Echo }
  | (Omit<GateRefusal, 'shown'> & { readonly shown: Echo })
  | (Omit<GateWait, 'shown' | 'request'> & {
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
    if (said.verdict === 'wait')
      return { ...said, shown: all, gate: gate.name, request: said.request ?? request };
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
  if (said.verdict === 'wait')
    return { ...said, shown, gate: gate.name, request: said.request ?? payment.request };
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
