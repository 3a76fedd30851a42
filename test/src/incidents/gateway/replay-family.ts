import type { GatewayIncident } from '@tillbridge/gateway/app/incident/gateway-incident.js';
import { encodeResult, resultOf } from '@tillbridge/gateway/core/payments/rules/results.js';
import type { IntentRow, PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { isSameJson } from '../core/same-value.js';
import type { Divergence, ReplayVerdict } from '../core/verdict.js';
import {
  applied,
  type FamilyState,
  keyOfAgent,
  NO_ROWS,
  paymentDifference,
  paymentText,
} from './family-state.js';
import { eventText, paymentStep } from './payment-step.js';

/** Orders of the payments of a family that are tried: clocks of several nodes may differ. */
const MOST_ORDERS = 5_000;

interface Replayed {
  readonly state: FamilyState;
  /** Payments that are there, in their order. */
  readonly done: readonly PaymentRow[];
  readonly notReplayed: readonly string[];
}

/**
 * Replays the payments of an export through the gateway's decisions, in the order of their outcomes: each has to be allowed by the rows before
 * it, and all together have to lead to the amounts and states that are stored.
 */
export function replayFamily(incident: GatewayIncident): ReplayVerdict {
  const { payments, intents, paymentId } = incident;
  const intentOf = new Map(intents.map((intent) => [intent.paymentId, intent]));
  const search = { left: MOST_ORDERS, furthest: { state: NO_ROWS, done: [], notReplayed: [] } as Replayed };
  const reasons = new Map<string, string>();
  const reached = goOn(search.furthest, payments, intentOf, incident, search, reasons);
  const open = intents.filter(({ state }) => state !== 'done');
  const notReplayed = [
    ...(reached ?? search.furthest).notReplayed,
    ...open.map(
      ({ paymentId: id, kind, state }) => `payment ${id}: its ${kind} is ${state} and has no outcome`,
    ),
  ];
  if (reached) return { subject: paymentId, rows: payments.length, notReplayed };
  const { state, done } = search.furthest;
  const next = payments.find((row) => !done.includes(row));
  const divergence = next
    ? stuck(next, search.furthest, reasons)
    : differing(incident, state, `every payment of the family is there: ${done.map(eventText).join('; ')}`);
  return { subject: paymentId, rows: done.length, ...(divergence && { divergence }), notReplayed };
}

/** Depth first, the order of time first. */
function goOn(
  replayed: Replayed,
  left: readonly PaymentRow[],
  intentOf: ReadonlyMap<string, IntentRow>,
  incident: GatewayIncident,
  search: { left: number; furthest: Replayed },
  reasons: Map<string, string>,
): Replayed | undefined {
  if (replayed.done.length > search.furthest.done.length) {
    search.furthest = replayed;
    reasons.clear();
  }
  if (left.length === 0) return differing(incident, replayed.state, '') ? undefined : replayed;
  for (const row of left) {
    search.left -= 1;
    if (search.left < 0) return undefined;
    const step = paymentStep(replayed.state, row, intentOf.get(row.id));
    if (step.kind === 'forbidden') {
      if (replayed.done.length === search.furthest.done.length) reasons.set(row.id, step.because);
      continue;
    }
    const next: Replayed = {
      state: applied(replayed.state, step.changes),
      done: [...replayed.done, row],
      notReplayed: [...replayed.notReplayed, ...(step.notReplayed ? [step.notReplayed] : [])],
    };
    const others = left.filter((other) => other !== row);
    const end = goOn(next, others, intentOf, incident, search, reasons);
    if (end) return end;
  }
  return undefined;
}

function stuck(row: PaymentRow, { state }: Replayed, reasons: ReadonlyMap<string, string>): Divergence {
  const because = reasons.get(row.id);
  return {
    subject: `payment ${row.rootId ?? row.id}`,
    row: `payments ${row.id}: ${eventText(row)}`,
    state: statesText(state),
    tried: [eventText(row)],
    ...(because !== undefined && { because }),
  };
}

function statesText({ payments }: FamilyState): string {
  return [...payments.values()].map(paymentText).join(' | ') || 'no payment';
}

/** The first stored row that differs from what the payments lead to. */
function differing(incident: GatewayIncident, state: FamilyState, tried: string): Divergence | undefined {
  for (const row of incident.payments) {
    const because = paymentDifference(row, state.payments.get(row.id));
    if (because) return found(`payments ${row.id}`, because, state, tried);
  }
  for (const row of incident.claims) {
    const led = state.claims.get(keyOfAgent(row.agentId, row.reference));
    if (!led || led.paymentId !== row.paymentId || led.released !== row.released) {
      // A sale that has no outcome yet holds its reference.
      const isOpen = incident.intents.some(
        (intent) => intent.paymentId === row.paymentId && intent.state !== 'done',
      );
      if (isOpen || isMadeOtherwise(incident, row.paymentId)) continue;
      const because = `it is ${row.released === 1 ? 'released' : 'held'} by ${row.paymentId}, the rows before lead to ${led ? `${led.released === 1 ? 'released' : 'held'} by ${led.paymentId}` : 'none'}`;
      return found(`claims ${row.reference}`, because, state, tried);
    }
  }
  return differingAnswer(incident, state, tried);
}

/** A payment that is not in the export: of another entity, or of more than are exported. */
function isMadeOtherwise({ payments }: GatewayIncident, paymentId: string): boolean {
  return !payments.some(({ id }) => id === paymentId);
}

function differingAnswer(
  incident: GatewayIncident,
  state: FamilyState,
  tried: string,
): Divergence | undefined {
  for (const row of incident.inbox) {
    const stored = JSON.parse(row.result) as { readonly paymentId?: string; readonly disposition: string };
    const payment = incident.payments.find(({ id }) => id === stored.paymentId);
    if (!payment || payment.messageId !== row.messageId) continue;
    const led = state.inbox.get(keyOfAgent(row.agentId, row.messageId));
    const answer = led?.result ?? encodeResult(resultOf(payment, 'refused'));
    const { iccDataResponse: _, ...wanted } = JSON.parse(answer) as Record<string, unknown>;
    if (!isSameJson(wanted, stored))
      return found(
        `inbox ${row.messageId}`,
        `it holds ${row.result}, the outcome leads to ${answer}`,
        state,
        tried,
      );
  }
  return undefined;
}

function found(row: string, because: string, state: FamilyState, tried: string): Divergence {
  const [, id = ''] = row.split(' ');
  return { subject: `payment ${id}`, row, state: statesText(state), tried: [tried], because };
}
