import { type Fact, isDurable, type StreamFact } from './facts.js';
import type { GatewayAnswer } from './gateway-answer.js';
import { isParked, messageOf, reversalOf, type SaleMessage } from './messages.js';
import { RESOLVED_OTHERWISE } from './parked-codes.js';
import type { SaleState } from './sale-state.js';
import { timelineEntry } from './timeline.js';

/** Where and when a fact was journaled. */
interface FactPlace {
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
    messages: [],
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
      return reversalOf(state) ? {} : { phase: 'unknown', reason: fact.reason, openSinceMs: atMs };
    case 'reversal':
      return reversing(state, fact, atMs);
    case 'preceding-reversal':
    case 'cancel-if-unseen':
    case 'capture':
      return added(state, fact);
    case 'offline-record':
      return {
        ...added(state, fact),
        mode: fact.approval === 'deferred' ? 'offline-deferred' : 'offline-card',
        ...cardOf(fact),
      };
    case 'voice-authorization':
      return { ...added(state, fact), phase: 'done' };
    case 'too-old':
      return {
        messages: state.messages.map((each) =>
          each.kind === 'offline-record' ? { ...each, expired: true } : each,
        ),
      };
    case 'late-decline-acknowledged':
      return { lateDeclineAcknowledged: { atMs, ...(fact.by !== undefined && { by: fact.by }) } };
    case 'overdue':
      return { phase: 'parked', parked: { code: fact.code, text: fact.text } };
    case 'acknowledged':
      return acknowledged(state, fact);
    case 'withdrawn':
      return withMessage(state, fact.messageId, {
        deliveryStatus: 'withdrawn',
        ...(messageOf(state, fact.messageId)?.kind === 'capture' && { refusal: fact.text }),
      });
    case 'parked':
      return parked(state, fact);
    case 'ended':
      return {
        // Staff still has to look at such a message after the sale's end.
        phase: state.messages.some((each) => OUTLIVES_END.has(each.kind) && isParked(each))
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

/** Kinds of messages that keep an ended sale parked while they are parked. */
const OUTLIVES_END: ReadonlySet<SaleMessage['kind']> = new Set(['preceding-reversal', 'cancel-if-unseen']);

function reversing(state: SaleState, fact: Of<'reversal'>, atMs: number): Partial<SaleState> {
  // An approval that no till received is none; one that a till reverses stands until it is reversed.
  const unreported = fact.reason === 'journal-unavailable' ? { outcome: null } : {};
  const since = state.phase === 'unknown' ? {} : { openSinceMs: atMs };
  return { ...added(state, fact), phase: 'reversing', reason: fact.reason, ...unreported, ...since };
}

function added({ messages }: SaleState, fact: StreamFact): Pick<SaleState, 'messages'> {
  return { messages: [...messages, messageFrom(fact)] };
}

function messageFrom(fact: StreamFact): SaleMessage {
  const { messageId } = fact;
  const deliveryStatus = 'queued';
  switch (fact.kind) {
    case 'reversal':
    case 'preceding-reversal': {
      const { kind, originalMessageId: refersTo, reason, otherwise } = fact;
      return { kind, messageId, refersTo, reason, otherwise, deliveryStatus };
    }
    case 'offline-record': {
      const { kind, approval, fingerprint } = fact;
      return { kind, messageId, approval, ...(fingerprint !== undefined && { fingerprint }), deliveryStatus };
    }
    case 'capture': {
      const { kind, originalMessageId: refersTo, captureReference, final = true } = fact;
      const named = captureReference === undefined ? {} : { reference: captureReference };
      return { kind, messageId, refersTo, ...named, minor: fact.amount.minor, final, deliveryStatus };
    }
    case 'voice-authorization': {
      const { kind, originalMessageId: refersTo, approvalCode } = fact;
      return { kind, messageId, refersTo, approvalCode, deliveryStatus };
    }
    case 'cancel-if-unseen':
      return { kind: 'cancel-if-unseen', messageId, refersTo: fact.originalMessageId, deliveryStatus };
  }
}

/** The message with some of its fields changed; nothing where the sale has no such message. */
function withMessage(
  { messages }: SaleState,
  messageId: string,
  change: Partial<SaleMessage>,
): Partial<Pick<SaleState, 'messages'>> {
  if (!messages.some((each) => each.messageId === messageId)) return {};
  const changed = messages.map((each) =>
    each.messageId === messageId ? ({ ...each, ...change } as SaleMessage) : each,
  );
  return { messages: changed };
}

function acknowledged(state: SaleState, { messageId, answer }: Of<'acknowledged'>): Partial<SaleState> {
  const message = messageOf(state, messageId);
  const { disposition } = answer;
  const taken = disposition === 'approved';
  const asStatus = (done: boolean) =>
    withMessage(state, messageId, { deliveryStatus: done ? 'acknowledged' : 'refused' });
  switch (message?.kind) {
    case undefined:
      return {};
    case 'reversal': {
      const reversedMinor = reversedBy(answer, state.request.currency);
      const isDone = disposition === 'reversed' || disposition === 'nothing-to-reverse';
      const deliveryStatus = isDone ? 'acknowledged' : 'refused';
      return withMessage(state, messageId, {
        deliveryStatus,
        ...(reversedMinor !== undefined && { reversedMinor }),
      });
    }
    case 'preceding-reversal':
      return asStatus(true);
    case 'offline-record':
      return { answer, ...asStatus(true) };
    case 'voice-authorization':
      return { answer, ...asStatus(taken) };
    case 'capture': {
      const refusal = [answer.resultCode, answer.description].filter(Boolean).join(' ');
      return taken ? asStatus(true) : withMessage(state, messageId, { deliveryStatus: 'refused', refusal });
    }
    case 'cancel-if-unseen': {
      const answered = { ...state, ...asStatus(true) };
      // The gateway had accepted the original before: its answer counts.
      const original = { kind: 'acknowledged', messageId: message.refersTo, answer } as const;
      return disposition === 'nothing-to-reverse'
        ? answered
        : { ...answered, ...acknowledged(answered, original) };
    }
  }
}

/** The amount that an answer to a reversal reports as reversed, in minor units; undefined where it reports none. */
function reversedBy(
  { disposition, amountMinor, currency }: GatewayAnswer,
  ofSale: string,
): number | undefined {
  if (disposition === 'nothing-to-reverse') return 0;
  return disposition === 'reversed' && currency === ofSale ? amountMinor : undefined;
}

function parked(state: SaleState, { messageId, code, text }: Of<'parked'>): Partial<SaleState> {
  const changed = withMessage(state, messageId, { deliveryStatus: 'parked' });
  if (!changed.messages) return {};
  // One more parked message does not hide that the sale ended otherwise; the queue shows its reason.
  const isKnown = state.phase === 'parked' && state.parked?.code === RESOLVED_OTHERWISE;
  return { ...changed, phase: 'parked', ...(!isKnown && { parked: { code, text } }) };
}
