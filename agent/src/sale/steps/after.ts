import type { Decision, PhaseSteps, Sale, SaleEvent, StepContext } from '../events.js';
import type { Fact } from '../facts.js';
import { amountOf, moneyMessageId, type SaleState } from '../state.js';
import { ended, refusalReason, reversal } from './common.js';

type Event<K extends SaleEvent['kind']> = Extract<SaleEvent, { readonly kind: K }>;

/** What may come in every phase behind the decision. */
const always: PhaseSteps = {
  acknowledged: (sale, event) => acknowledged(sale, event),
  parked: ({ state }, { messageId, code, text }) =>
    ownsMessage(state, messageId) ? { facts: [{ kind: 'parked', messageId, code, text }] } : {},
};

/** `reversing`: the reversal is on disk and will arrive; nothing else can change the end. */
export const reversingSteps: PhaseSteps = always;

/** `done`: ended. A till may reverse or capture; an approval that nobody counts on is undone. */
export const doneSteps: PhaseSteps = {
  ...always,
  answer: (sale, event, context) => strayAnswer(sale, event, context),
  reverse: ({ state }, _event, context) => reverse(state, context),
  capture: ({ state }, { minor }, context) => capture(state, minor, context),
};

/** `parked`: a person has to look; an approved sale may still be reversed. */
export const parkedSteps: PhaseSteps = {
  ...always,
  reverse: ({ state }, _event, context) => reverse(state, context),
};

function ownsMessage(state: SaleState, messageId: string): boolean {
  const { clearing, reversal: own, offline, capture: taken } = state;
  return [clearing, own, offline, taken].some(
    (each) => each?.messageId === messageId && each.fate === 'queued',
  );
}

function acknowledged({ state }: Sale, { messageId, answer }: Event<'acknowledged'>): Decision {
  if (!ownsMessage(state, messageId)) return {};
  const heard: Fact = { kind: 'acknowledged', messageId, answer };
  if (messageId === state.reversal?.messageId) return { facts: endOfReversal(state, heard) };
  if (messageId === state.clearing?.messageId && !undid(heard)) return { facts: [cannotUndo(heard)] };
  if (messageId === state.offline?.messageId && answer.disposition !== 'approved') {
    // Money that the merchant counted on: said aloud, never a silence. A reversal on its way makes it moot; one that could not
    // clear the way leaves the first booking standing, and the person who looks at that must not hear that no money came.
    const moot = state.reversal !== undefined || state.clearing?.fate === 'parked';
    const detail = [answer.resultCode, answer.description].filter(Boolean).join(' ');
    return {
      facts: moot
        ? [heard]
        : [heard, ended('declined', state.mode, 'declined-later', detail || refusalReason(answer))],
    };
  }
  return { facts: [heard] };
}

type Acknowledged = Extract<Fact, { readonly kind: 'acknowledged' }>;

function undid({ answer }: Acknowledged): boolean {
  return answer.disposition === 'reversed' || answer.disposition === 'nothing-to-reverse';
}

/** A reversal that the gateway takes note of without undoing anything: it stays in the queue until a person has settled it (P4). */
function cannotUndo({ messageId, answer }: Acknowledged): Fact {
  const text = answer.description ?? 'the gateway could not undo it';
  return { kind: 'parked', messageId, code: answer.resultCode ?? answer.disposition, text };
}

function endOfReversal(state: SaleState, heard: Acknowledged): Fact[] {
  const { reversal: own } = state;
  if (!own || !undid(heard)) return [cannotUndo(heard)];
  const outcome = heard.answer.disposition === 'reversed' ? 'reversed' : own.otherwise;
  return [heard, ended(outcome, state.mode, own.reason)];
}

/** An approval for a sale that ended without it and has no reversal yet. */
function strayAnswer(
  { state }: Sale,
  { messageId, answer }: Event<'answer'>,
  context: StepContext,
): Decision {
  const counted = state.outcome === 'approved' && state.mode === 'online';
  const undone = state.reversal ?? state.clearing;
  if (messageId !== state.messageId || answer.disposition !== 'approved' || counted || undone) return {};
  const heard: Fact = { kind: 'answered', answer, late: true };
  const otherwise = state.outcome ?? 'failed';
  return { facts: [heard, reversal(state, context.ids[0], state.reason ?? 'no-answer', otherwise)] };
}

function reverse(state: SaleState, context: StepContext): Decision {
  if (state.outcome !== 'approved' || state.reversal || moneyMessageId(state) === undefined) return {};
  return { facts: [reversal(state, context.ids[0], 'reversed-by-till', 'reversed')] };
}

function capture(state: SaleState, minor: number, context: StepContext): Decision {
  const originalMessageId = moneyMessageId(state);
  if (!mayCapture(state, minor) || originalMessageId === undefined) return {};
  const amount = { minor, currency: state.request.currency };
  return { facts: [{ kind: 'capture', messageId: context.ids[0], originalMessageId, amount }] };
}

/** Whether the sale is an approved preauthorization that is not captured, and the amount within it. */
export function mayCapture(state: SaleState, minor: number): boolean {
  const free = state.capture === undefined || state.capture.fate === 'refused';
  const approved = state.phase === 'done' && state.outcome === 'approved';
  return (
    approved &&
    state.request.type === 'preauthorization' &&
    free &&
    minor > 0 &&
    minor <= amountOf(state).minor
  );
}
