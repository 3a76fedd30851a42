import type { Decision, EventOf, PhaseSteps, Sale, StepContext } from '../state/events.js';
import type { Fact } from '../state/facts.js';
import type { GatewayAnswer } from '../state/gateway-answer.js';
import {
  isParked,
  isReversalStanding,
  messageOf,
  type OfflineMessage,
  offlineRecordOf,
  parkedMessages,
  precedingReversalOf,
  type ReversalMessage,
  reversalOf,
  type SaleMessage,
  type VoiceMessage,
} from '../state/messages.js';
import { RESOLVED_OTHERWISE } from '../state/parked-codes.js';
import { moneyMessageId, type SaleState } from '../state/sale-state.js';
import { capture, capturedMinor, uncapturedMinor } from './captures.js';
import { ended, refusalReason, requestedBy, reversal } from './common.js';
import { acknowledgeLateDecline, expireRecord } from './late-decline.js';
import {
  cancelIfUnseenAnswered,
  cancelUnseenCaptures,
  keepsCapture,
  resolveManually,
} from './manual-resolution.js';
import { overdueReversal, retryPrecedingReversal, retryReversal, withdrawn } from './overdue.js';
import { voiceApproved } from './voice.js';

/** What becomes of the sale's messages in the queue, wherever the sale stands by then. */
const QUEUE_STEPS: PhaseSteps = {
  acknowledged,
  parked: ({ state }, { messageId, code, text }) =>
    // The disk may have kept a message that it reported as lost: it has to leave the queue all the same.
    (messageOf(state, messageId)?.deliveryStatus ?? 'queued') === 'queued'
      ? { facts: [{ kind: 'parked', messageId, code, text: whyParked(state, messageId, text) }] }
      : {},
  expire: ({ state }) => expireRecord(state),
};

/** `reversing`: the reversal is on disk and will arrive; nothing else can change the end. */
export const reversingSteps: PhaseSteps = {
  ...QUEUE_STEPS,
  timer: ({ state }, { timer }, { policy }) => (timer === 'overdue' ? overdueReversal(state, policy) : {}),
};

/** `done`: ended. A till may reverse or capture; an approval that came after another end is reversed. */
export const doneSteps: PhaseSteps = {
  ...QUEUE_STEPS,
  answer: strayAnswer,
  reverse: ({ state }, event, context) => requestedBy(reverse(state, context), event),
  capture,
  'voice-approved': voiceApproved,
  'late-decline-acknowledged': ({ state }, event) => acknowledgeLateDecline(state, event),
};

/** `parked`: staff has to resolve it; queued messages are still sent, and an approved sale may still be reversed. */
export const parkedSteps: PhaseSteps = {
  ...QUEUE_STEPS,
  reverse: ({ state }, event, context) => requestedBy(reverseParked(state, context), event),
  'resolve-manually': ({ state }, event, context) =>
    requestedBy(resolveManually(state, event, context), event),
};

/** A gateway of an older build cannot read such a message (bridge.proto, CancelIfUnseen). */
function whyParked(state: SaleState, messageId: string, text: string): string {
  return messageOf(state, messageId)?.kind === 'cancel-if-unseen'
    ? `manually resolved, and the gateway could not cancel if unseen what it has parked (${text}): have that dropped there, or it may still be taken`
    : text;
}

function acknowledged({ state }: Sale, { messageId, answer }: EventOf<'acknowledged'>): Decision {
  const fact: Fact = { kind: 'acknowledged', messageId, answer };
  const message = messageOf(state, messageId);
  // It is still in the queue, and has to leave it.
  if (!message) return { facts: [fact] };
  if (message.deliveryStatus !== 'queued' && !isParked(message)) return {};
  const facts = factsOf(state, message, fact);
  const isStuck = facts.some(({ kind }) => kind === 'parked');
  // Staff at the gateway had it tried again, and it is parked again: nothing has changed.
  if (isParked(message) && isStuck) return {};
  const mayEnd = !isStuck && (isParked(message) || message.kind === 'preceding-reversal');
  return { facts: mayEnd ? [...facts, ...asBefore(state, fact, facts)] : facts };
}

function factsOf(state: SaleState, message: SaleMessage, fact: Acknowledged): Fact[] {
  switch (message.kind) {
    case 'reversal':
      return endOfReversal(state, message, fact);
    case 'preceding-reversal':
      return isReversed(fact) ? [fact] : [cannotReverse(fact)];
    case 'cancel-if-unseen':
      return cancelIfUnseenAnswered(state, message, fact);
    case 'offline-record':
    case 'voice-authorization':
      return fact.answer.disposition === 'approved' ? [fact] : declinedLater(state, message, fact);
    case 'capture':
      return [fact];
  }
}

/**
 * Ends the sale as before once its last parked message was acknowledged, unless this answer ends it otherwise or parks it again. A decline
 * that waited for the preceding reversal is reported now.
 */
function asBefore(state: SaleState, { messageId }: Acknowledged, facts: readonly Fact[]): Fact[] {
  const { phase, outcome, mode, reason, detail, parked } = state;
  const others = parkedMessages(state).filter((each) => each.messageId !== messageId);
  const isOdd = parked?.code === RESOLVED_OTHERWISE;
  const waits = others.length > 0 || reversalOf(state)?.deliveryStatus === 'queued' || isOdd;
  const isNews = facts.some(({ kind }) => kind === 'ended' || kind === 'overdue');
  if (phase !== 'parked' || outcome === null || waits || isNews) return [];
  const declined = declinedMessage(state);
  if (outcome === 'approved' && declined) return [endOfDecline(state, declined)];
  return [ended(outcome, mode, reason ?? 'approved', detail)];
}

type Acknowledged = Extract<Fact, { readonly kind: 'acknowledged' }>;

/**
 * Ends the sale as declined later or expired, which raises an event. Not while a reversal of it is on its way; nor while its preceding
 * reversal is parked: then the first ledger entry still stands, and staff must not read that no money came.
 */
function declinedLater(state: SaleState, message: OfflineMessage | VoiceMessage, fact: Acknowledged): Fact[] {
  if (isReversalStanding(state) || precedingReversalOf(state)?.deliveryStatus === 'parked') return [fact];
  return [fact, endOfDecline({ ...state, answer: fact.answer }, message)];
}

/** The record that the gateway declined, and of which the till has no event yet. */
function declinedMessage(state: SaleState): OfflineMessage | undefined {
  const record = offlineRecordOf(state);
  return record?.deliveryStatus === 'acknowledged' && state.answer?.disposition !== 'approved'
    ? record
    : undefined;
}

function endOfDecline({ mode, answer }: SaleState, message: OfflineMessage | VoiceMessage): Fact {
  const why = answer && declineText(answer);
  if (message.kind === 'voice-authorization') return ended('declined', mode, 'voice-code-refused', why);
  return message.expired
    ? ended('expired', mode, 'expired-offline', why)
    : ended('declined', mode, 'declined-later', why);
}

function declineText(answer: GatewayAnswer): string {
  return [answer.resultCode, answer.description].filter(Boolean).join(' ') || refusalReason(answer);
}

function isReversed({ answer }: Acknowledged): boolean {
  return answer.disposition === 'reversed' || answer.disposition === 'nothing-to-reverse';
}

/** Parks a reversal that the gateway acknowledged without reversing anything; it stays in the queue until manual resolution (P4). */
function cannotReverse({ messageId, answer }: Acknowledged): Fact {
  const text = answer.description ?? 'the gateway could not reverse it';
  return { kind: 'parked', messageId, code: answer.resultCode ?? answer.disposition, text };
}

/** Ends the sale as its reversal was answered. A refused reversal is parked for staff, unless a till had requested it: then the sale stands. */
function endOfReversal(state: SaleState, own: ReversalMessage, fact: Acknowledged): Fact[] {
  const { mode } = state;
  const byTill = own.reason === 'reversed-by-till';
  if (!isReversed(fact)) {
    return byTill
      ? [fact, ended('approved', mode, 'reversal-refused', declineText(fact.answer))]
      : [cannotReverse(fact)];
  }
  const facts = [fact, ...noLongerWanted(state)];
  if (byTill && capturedMinor(state) > 0) return [...facts, ended('approved', mode, 'rest-released')];
  const outcome = fact.answer.disposition === 'reversed' ? 'reversed' : own.otherwise;
  return [...facts, ended(outcome, mode, own.reason), ...keepsCapture(state)];
}

/** Withdraws the sale's other parked messages: the sale is reversed. A preceding reversal that is parked stays for staff. */
function noLongerWanted(state: SaleState): Fact[] {
  return parkedMessages(state)
    .filter(({ kind }) => kind === 'offline-record' || kind === 'voice-authorization' || kind === 'capture')
    .map(({ messageId }) => withdrawn(messageId, 'the sale was reversed'));
}

/** An approval for a sale that ended without it and has no reversal yet. */
function strayAnswer(
  { state }: Sale,
  { messageId, answer }: EventOf<'answer'>,
  context: StepContext,
): Decision {
  const counted = state.outcome === 'approved' && state.mode === 'online';
  const reversed = reversalOf(state) ?? precedingReversalOf(state);
  if (messageId !== state.messageId || answer.disposition !== 'approved' || counted || reversed) return {};
  const fact: Fact = { kind: 'answered', answer, late: true };
  const otherwise = state.outcome ?? 'failed';
  return { facts: [fact, reversal(state, context.ids[0], state.reason ?? 'no-answer', otherwise)] };
}

/**
 * Everything that should have been reversed and was not goes out anew, the first ledger entry before the second. Parked captures are cancelled if unseen
 * first: what the gateway captured of them stands, and the reversal releases the rest.
 */
function reverseParked(state: SaleState, context: StepContext): Decision {
  const [, cleared, ...others] = context.ids;
  const own =
    reversalOf(state)?.deliveryStatus === 'parked' ? retryReversal(state, context) : reverse(state, context);
  const captures = own.facts ? cancelUnseenCaptures(state, others) : [];
  return { facts: [...retryPrecedingReversal(state, cleared), ...captures, ...(own.facts ?? [])] };
}

function reverse(state: SaleState, context: StepContext): Decision {
  if (ownRefusal(state) !== undefined) return {};
  return { facts: [reversal(state, context.ids[0], 'reversed-by-till', 'reversed')] };
}

/** Why a till may not reverse the sale, as a text for the till; `undefined` when it may. */
export function reversalRefusal(state: SaleState): string | undefined {
  const { phase } = state;
  const again = [reversalOf(state), precedingReversalOf(state)].some(
    (each) => each?.deliveryStatus === 'parked',
  );
  return phase === 'parked' && again ? undefined : ownRefusal(state);
}

function ownRefusal(state: SaleState): string | undefined {
  const { outcome, phase, request } = state;
  if (outcome !== 'approved' || moneyMessageId(state) === undefined) {
    return `it is ${outcome ?? phase}: ${outcome === null ? 'cancel it instead' : 'only an approved sale can be reversed'}`;
  }
  if (isReversalStanding(state)) return 'it was reversed before';
  return request.type === 'preauthorization' && uncapturedMinor(state) <= 0
    ? 'all of it is captured, so there is nothing left to release: give the money back with a refund'
    : undefined;
}
