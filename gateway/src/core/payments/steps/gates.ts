import type { Echo } from '../../../kernel/api/echo.js';
import type { Gate, GatedPayment, GateRefusal, GateVerdict, GateWait } from '../gates/gate.js';
import type { PaymentRequest } from '../rules/requests.js';
import type { WaitCause } from '../rules/waits.js';
import type { Decision } from '../timeline/decisions.js';

/** A decision whose time is that of the commit. */
type Untimed = Omit<Decision, 'atMs'>;

/** What all gates say: the last verdict, with the payment as it then is and all that is shown. */
export type GatesVerdict =
  | {
      readonly verdict: 'pass';
      readonly request: PaymentRequest;
      readonly shown: Echo;
      readonly decisions: readonly Untimed[];
    }
  | (Omit<GateRefusal, 'shown' | 'decisions'> & {
      readonly shown: Echo;
      readonly decisions: readonly Untimed[];
    })
  | (Omit<GateWait, 'shown' | 'request' | 'decisions'> & {
      readonly shown: Echo;
      readonly decisions: readonly Untimed[];
      readonly gate: string;
      readonly request: PaymentRequest;
    });

/** Passes the payment to every gate in turn, until one does not let it pass. Terminals and what was decided offline meet none. */
export async function passGates(
  gates: readonly Gate[],
  payment: GatedPayment,
  shown: Echo = {},
): Promise<GatesVerdict> {
  let { request } = payment;
  let all = shown;
  const decisions: Untimed[] = [];
  if (request.origin.kind === 'bridge' || request.pos)
    return { verdict: 'pass', request, shown: all, decisions };
  for (const gate of gates) {
    const outcome = await gate.pass({ ...payment, request });
    all = withShown(all, outcome.shown);
    decisions.push(...decidedAt(gate, outcome));
    if (outcome.verdict === 'wait')
      return { ...outcome, shown: all, decisions, gate: gate.name, request: outcome.request ?? request };
    if (outcome.verdict === 'refuse') return { ...outcome, shown: all, decisions };
    request = outcome.request ?? request;
  }
  return { verdict: 'pass', request, shown: all, decisions };
}

/** Passes a payment that waits to its gate again, and to those after it once that gate lets it pass. */
export async function askAgain(
  gates: readonly Gate[],
  payment: GatedPayment,
  at: { readonly gate: string; readonly state: unknown },
  why: WaitCause,
): Promise<GatesVerdict> {
  const index = gates.findIndex(({ name }) => name === at.gate);
  const gate = gates[index];
  if (!gate) throw new Error(`payment ${payment.paymentId} waits at gate ${at.gate}, which is not there`);
  const outcome = await gate.again(payment, at.state, why);
  const shown = withShown({}, outcome.shown);
  const decisions = decidedAt(gate, outcome);
  if (outcome.verdict === 'wait')
    return { ...outcome, shown, decisions, gate: gate.name, request: outcome.request ?? payment.request };
  if (outcome.verdict === 'refuse') return { ...outcome, shown, decisions };
  const passed = { ...payment, request: outcome.request ?? payment.request };
  const more = await passGates(gates.slice(index + 1), passed, shown);
  return { ...more, decisions: [...decisions, ...more.decisions] };
}

/** What a gate decided. */
function decidedAt({ name: step }: Gate, outcome: GateVerdict): Untimed[] {
  const isPlain = outcome.verdict === 'pass' && outcome.shown === undefined;
  const own =
    outcome.decisions ?? (isPlain ? [] : [outcome.verdict === 'refuse' ? { code: outcome.resultCode } : {}]);
  return own.map((decision) => ({ step, by: 'gateway', ...decision }));
}

/** An echo with more in it, group by group; the echo itself where there is no more. */
export function withShown(echo: Echo, more: Echo = {}): Echo {
  const groups = Object.entries(more);
  if (groups.length === 0) return echo;
  const merged: Echo = { ...echo };
  for (const [group, value] of groups) {
    const before = merged[group];
    const isGroup = [before, value].every((each) => typeof each === 'object' && !Array.isArray(each));
    merged[group] = isGroup ? { ...(before as Echo), ...(value as Echo) } : value;
  }
  return merged;
}
