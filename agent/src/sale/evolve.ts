import type { SalePhase } from './answer.js';
import { type Fact, isDurable } from './facts.js';
import type { SaleState } from './state.js';
import { timelineEntry } from './timeline.js';

/** Where and when a fact was journaled. */
export interface FactPlace {
  readonly reference: string;
  readonly terminalId: string;
  readonly row: number;
  readonly atMs: number;
}

type Of<K extends Fact['kind']> = Extract<Fact, { readonly kind: K }>;

/**
 * The state after one more fact.
 * @throws Error when the first fact is not `accepted`, or a later one is: the journal was mixed up
 */
export function evolve(state: SaleState | undefined, fact: Fact, place: FactPlace): SaleState {
  if (fact.kind === 'accepted') {
    if (state) throw new Error(`sale ${place.reference} is accepted twice`);
    return accepted(fact, place);
  }
  if (!state) throw new Error(`sale ${place.reference} begins with ${fact.kind}`);
  const next = { ...state, ...changes(state, fact) };
  // Only what is on disk: the stored answer reads the same as the first one did.
  return isDurable(fact) ? { ...next, timeline: [...state.timeline, timelineEntry(fact, place.atMs)] } : next;
}

function accepted(fact: Of<'accepted'>, { reference, terminalId, row, atMs }: FactPlace): SaleState {
  return {
    reference,
    terminalId,
    request: fact.sale,
    acceptedRow: row,
    acceptedAtMs: atMs,
    phase: 'accepted',
    outcome: null,
    mode: null,
    timeline: [{ atMs, step: 'accepted' }],
  };
}

function changes(state: SaleState, fact: Exclude<Fact, Of<'accepted'>>): Partial<SaleState> {
  switch (fact.kind) {
    case 'reading':
      return { phase: 'reading-card' };
    case 'authorizing':
      return { phase: 'authorizing', messageId: fact.messageId, ...cardOf(fact) };
    case 'answered':
      return fact.late
        ? { answer: fact.answer }
        : { phase: 'completing', mode: 'online', answer: fact.answer };
    case 'completed':
      return {
        cardEnd: fact.result,
        ...(fact.emv && { emv: { ...state.emv, ...fact.emv } }),
        ...(fact.detail && { detail: fact.detail }),
      };
    case 'unknown':
      return { phase: 'unknown', reason: fact.reason };
    case 'reversal':
      return reversal(fact);
    case 'offline-record':
      return {
        mode: fact.approval === 'deferred' ? 'offline-deferred' : 'offline-card',
        offline: { messageId: fact.messageId, approval: fact.approval, fate: 'queued' },
        ...cardOf(fact),
      };
    case 'capture':
      return { capture: { messageId: fact.messageId, minor: fact.amount.minor, fate: 'queued' } };
    case 'acknowledged':
      return acknowledged(state, fact);
    case 'parked':
      return parked(state, fact);
    case 'ended':
      return {
        phase: 'done',
        outcome: fact.outcome,
        mode: fact.mode,
        reason: fact.reason,
        ...(fact.detail && { detail: fact.detail }),
      };
  }
}

function cardOf(fact: Of<'authorizing'> | Of<'offline-record'>): Partial<SaleState> {
  return { ...(fact.card && { card: fact.card }), ...(fact.emv && { emv: fact.emv }) };
}

function reversal(fact: Of<'reversal'>): Partial<SaleState> {
  const { kind: _kind, amount: _amount, ...rest } = fact;
  const undone = { ...rest, fate: 'queued' as const };
  return fact.beside ? { clearing: undone } : { phase: 'reversing', reversal: undone, reason: fact.reason };
}

function acknowledged(state: SaleState, { messageId, answer }: Of<'acknowledged'>): Partial<SaleState> {
  const { clearing, reversal: own, offline, capture } = state;
  if (clearing?.messageId === messageId) return { clearing: { ...clearing, fate: 'acknowledged' } };
  if (own?.messageId === messageId) return { reversal: { ...own, fate: 'acknowledged' } };
  if (offline?.messageId === messageId) return { answer, offline: { ...offline, fate: 'acknowledged' } };
  if (capture?.messageId !== messageId) return {};
  return { capture: { ...capture, fate: answer.disposition === 'approved' ? 'acknowledged' : 'refused' } };
}

function parked(state: SaleState, { messageId, code, text }: Of<'parked'>): Partial<SaleState> {
  const { clearing, reversal: own, offline, capture } = state;
  const phase: SalePhase = 'parked';
  const why = { phase, parked: { code, text } };
  if (clearing?.messageId === messageId) return { ...why, clearing: { ...clearing, fate: 'parked' } };
  if (own?.messageId === messageId) return { ...why, reversal: { ...own, fate: 'parked' } };
  if (offline?.messageId === messageId) return { ...why, offline: { ...offline, fate: 'parked' } };
  if (capture?.messageId === messageId) return { ...why, capture: { ...capture, fate: 'parked' } };
  return {};
}
