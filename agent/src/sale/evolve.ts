import type { SalePhase } from './answer.js';
import { type Fact, isDurable } from './facts.js';
import type { GatewayAnswer } from './gateway-answer.js';
import type { CaptureState, KeptOutState, MessageFate, OfflineState, SaleState } from './state.js';
import { SETTLED_OTHERWISE } from './steps/settled.js';
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
  const next = { ...state, ...changes(state, fact, place.atMs) };
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
    captures: [],
    timeline: [{ atMs, step: 'accepted' }],
  };
}

function changes(state: SaleState, fact: Exclude<Fact, Of<'accepted'>>, atMs: number): Partial<SaleState> {
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
      // The disk kept a reversal that it reported as lost: it is in the queue, and its acknowledgement ends the sale.
      return state.reversal ? {} : { phase: 'unknown', reason: fact.reason, openSinceMs: atMs };
    case 'reversal':
      return { ...reversal(fact), ...(!fact.beside && state.phase !== 'unknown' && { openSinceMs: atMs }) };
    case 'offline-record':
      return {
        mode: fact.approval === 'deferred' ? 'offline-deferred' : 'offline-card',
        offline: offline(fact),
        ...cardOf(fact),
      };
    case 'keep-out':
      return { keptOut: [...(state.keptOut ?? []), keptOut(fact)] };
    case 'capture':
      return { captures: [...state.captures, capture(fact)] };
    case 'voice-authorization': {
      const { messageId, approvalCode } = fact;
      return { phase: 'done', voice: { messageId, approvalCode, fate: 'queued' } };
    }
    case 'too-old':
      return state.offline ? { offline: { ...state.offline, expired: true } } : {};
    case 'seen':
      return { seen: { atMs, ...(fact.by !== undefined && { by: fact.by }) } };
    case 'overdue':
      return { phase: 'parked', parked: { code: fact.code, text: fact.text } };
    case 'acknowledged':
      return acknowledged(state, fact);
    case 'parked':
      return parked(state, fact);
    case 'ended':
      return {
        // What could not be undone, or kept out, outlives the sale's end: a person has to look.
        phase: [state.clearing, ...(state.keptOut ?? [])].some((each) => each?.fate === 'parked')
          ? 'parked'
          : 'done',
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

function offline({ messageId, approval, fingerprint }: Of<'offline-record'>): OfflineState {
  return { messageId, approval, ...(fingerprint !== undefined && { fingerprint }), fate: 'queued' };
}

function reversal(fact: Of<'reversal'>): Partial<SaleState> {
  const { kind: _kind, amount: _amount, ...rest } = fact;
  const undone = { ...rest, fate: 'queued' as const };
  if (fact.beside) return { clearing: undone };
  // An approval that was never told is none; one that a till takes back stands until it is undone.
  const untold = fact.reason === 'journal-unavailable' ? { outcome: null } : {};
  return { phase: 'reversing', reversal: undone, reason: fact.reason, ...untold };
}

function capture({ messageId, amount, captureReference, final = true }: Of<'capture'>): CaptureState {
  const named = captureReference === undefined ? {} : { reference: captureReference };
  return { messageId, ...named, minor: amount.minor, final, fate: 'queued' };
}

function keptOut({ messageId, originalMessageId }: Of<'keep-out'>): KeptOutState {
  return { messageId, originalMessageId, fate: 'queued' };
}

/** What the gateway had taken before is as it says. */
function keptOutAnswered(
  state: SaleState,
  { messageId, originalMessageId }: KeptOutState,
  answer: GatewayAnswer,
): Partial<SaleState> {
  const came = answer.disposition !== 'nothing-to-reverse';
  const original = { kind: 'acknowledged', messageId: originalMessageId, answer } as const;
  return { ...keptOutFate(state, messageId, 'acknowledged'), ...(came && acknowledged(state, original)) };
}

function keptOutFate(state: SaleState, messageId: string, fate: MessageFate): Partial<SaleState> {
  if (!state.keptOut?.some((each) => each.messageId === messageId)) return {};
  return { keptOut: state.keptOut.map((each) => (each.messageId === messageId ? { ...each, fate } : each)) };
}

function acknowledged(state: SaleState, { messageId, answer }: Of<'acknowledged'>): Partial<SaleState> {
  const word = state.keptOut?.find((each) => each.messageId === messageId);
  if (word) {
    // Withdrawn by hand itself: nothing was heard of what it was about.
    return answer.disposition === 'refused' && word.fate === 'parked'
      ? keptOutFate(state, messageId, 'acknowledged')
      : keptOutAnswered(state, word, answer);
  }
  const { clearing, reversal: own, offline, voice } = state;
  const taken = answer.disposition === 'approved';
  if (clearing?.messageId === messageId) return { clearing: { ...clearing, fate: 'acknowledged' } };
  if (own?.messageId === messageId) {
    const undone = answer.disposition === 'reversed' || answer.disposition === 'nothing-to-reverse';
    return { reversal: { ...own, fate: undone ? 'acknowledged' : 'refused' } };
  }
  if (offline?.messageId === messageId) return { answer, offline: { ...offline, fate: 'acknowledged' } };
  if (voice?.messageId === messageId) {
    return { answer, voice: { ...voice, fate: taken ? 'acknowledged' : 'refused' } };
  }
  const fate = taken ? 'acknowledged' : 'refused';
  const refusal = [answer.resultCode, answer.description].filter(Boolean).join(' ');
  return captureFate(state, messageId, taken ? { fate } : { fate, refusal });
}

function captureFate(state: SaleState, messageId: string, change: Partial<CaptureState>): Partial<SaleState> {
  if (!state.captures.some((each) => each.messageId === messageId)) return {};
  return {
    captures: state.captures.map((each) => (each.messageId === messageId ? { ...each, ...change } : each)),
  };
}

function parked(state: SaleState, { messageId, code, text }: Of<'parked'>): Partial<SaleState> {
  const { clearing, reversal: own, offline, voice } = state;
  const phase: SalePhase = 'parked';
  const fate = 'parked';
  // What a person is called for already is not covered up by one more message, which the queue shows with its own reason.
  const isCalled = state.phase === 'parked' && state.parked?.code === SETTLED_OTHERWISE;
  const why = { phase, ...(!isCalled && { parked: { code, text } }) };
  if (clearing?.messageId === messageId) return { ...why, clearing: { ...clearing, fate } };
  if (own?.messageId === messageId) return { ...why, reversal: { ...own, fate } };
  if (offline?.messageId === messageId) return { ...why, offline: { ...offline, fate } };
  if (voice?.messageId === messageId) return { ...why, voice: { ...voice, fate } };
  const other = { ...captureFate(state, messageId, { fate }), ...keptOutFate(state, messageId, fate) };
  return Object.keys(other).length > 0 ? { ...why, ...other } : {};
}
