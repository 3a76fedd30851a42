import { exactAmount } from '@tillbridge/wire/payment/money.js';
import type { ManualOutcome } from '../state/answer.js';
import type { Decision, EventOf, StepContext } from '../state/events.js';
import type { Fact } from '../state/facts.js';
import {
  type CancelIfUnseenMessage,
  capturesOf,
  isParked,
  isReversalStanding,
  messageOf,
  parkedMessages,
  reversalOf,
  type SaleMessage,
} from '../state/messages.js';
import { RESOLVED_OTHERWISE } from '../state/parked-codes.js';
import { amountOf, moneyMessageId, type SaleState } from '../state/sale-state.js';
import { capturedMinor } from './captures.js';
import { ended, reversal } from './common.js';
import { retryPrecedingReversal, withdrawn } from './overdue.js';

type Acknowledged = Extract<Fact, { readonly kind: 'acknowledged' }>;

/**
 * Ends a parked sale as staff states it. A sale that is none is reversed with all that may be recorded of it, now or by a later try at the
 * gateway; of one that stands, the gateway never takes what was parked. A parked preceding reversal is sent once more in both cases,
 * and withdrawn where the sale is manually resolved a second time.
 */
export function resolveManually(
  state: SaleState,
  { outcome, note }: EventOf<'resolve-manually'>,
  { ids }: StepContext,
): Decision {
  const [first, ...others] = ids;
  const cleared = state.reason === 'manually-resolved' ? [] : retryPrecedingReversal(state, first);
  const left = cleared.length > 0 ? others : ids;
  const gone = parkedMessages(state)
    .filter(({ kind }) => cleared.length === 0 || kind !== 'preceding-reversal')
    .map(({ messageId }) => withdrawn(messageId, `manually resolved: ${note}`));
  const ledgers = outcome === 'approved' ? keepAll(state, left) : reverseSale(state, outcome, left);
  return { facts: [...gone, ...cleared, ...ledgers, ended(outcome, state.mode, 'manually-resolved', note)] };
}

/**
 * Parked captures are cancelled if unseen first: what the gateway captured of them stands. Nothing is reversed where a reversal is queued,
 * was acknowledged, or is parked at the gateway.
 */
function reverseSale(state: SaleState, outcome: ManualOutcome, ids: readonly string[]): Fact[] {
  if (moneyMessageId(state) === undefined || isReversalStanding(state)) return [];
  const reversed = reversal(state, idAt(ids, 0), 'manually-resolved', outcome);
  return [...cancelIfUnseen(state, capturesOf(state).filter(isParked), ids.slice(1)), reversed];
}

/** The reversal ahead of an offline record may still be taken: it reverses no money that the sale stands for. */
function keepAll(state: SaleState, ids: readonly string[]): Fact[] {
  const others = parkedMessages(state).filter(
    ({ kind }) => kind !== 'preceding-reversal' && kind !== 'cancel-if-unseen',
  );
  return cancelIfUnseen(state, others, ids);
}

/** Of a sale that is reversed while captures of it are parked: they leave the queue, and cancel-if-unseen messages go out for them. */
export function cancelUnseenCaptures(state: SaleState, ids: readonly string[]): Fact[] {
  const parked = capturesOf(state).filter(isParked);
  const gone = parked.map(({ messageId }) => withdrawn(messageId, 'the sale is reversed'));
  return [...gone, ...cancelIfUnseen(state, parked, ids)];
}

function cancelIfUnseen(state: SaleState, messages: readonly SaleMessage[], ids: readonly string[]): Fact[] {
  const amount = amountOf(state);
  return messages.map(({ messageId: originalMessageId }, at) => {
    return { kind: 'cancel-if-unseen', messageId: idAt(ids, at), originalMessageId, amount };
  });
}

function idAt(ids: readonly string[], at: number): string {
  const id = ids[at];
  if (id === undefined)
    throw new Error('there is an id for every message that is parked, and one for a reversal');
  return id;
}

/** Why the sale cannot be manually resolved in this way, as a text for staff; `undefined` when it can. */
export function resolutionRefusal(state: SaleState, outcome: ManualOutcome): string | undefined {
  const { phase, request } = state;
  if (phase !== 'parked') return `it is ${state.outcome ?? phase}: only a parked sale is manually resolved`;
  if (outcome === 'approved') {
    return reversalOf(state)?.deliveryStatus === 'queued'
      ? 'its reversal still waits for the gateway and will reverse it: it cannot be resolved as approved'
      : undefined;
  }
  const captured = { minor: capturedMinor(state), currency: request.currency };
  return captured.minor > 0
    ? `${captured.currency} ${exactAmount(captured)} of it is captured: resolve it as approved, and give the money back with a refund`
    : undefined;
}

/** Parks a sale that was resolved as none when the gateway had taken a capture of it: the capture outlives the reversal. */
export function keepsCapture(state: SaleState): Fact[] {
  const isOdd = reversalOf(state)?.reason === 'manually-resolved' && capturedMinor(state) > 0;
  return isOdd ? [{ kind: 'overdue', code: RESOLVED_OTHERWISE, text: DIFFERENCES.captured }] : [];
}

/** The facts of an answered cancel-if-unseen. Where the gateway had accepted the message before, the end may differ from the till's answer. */
export function cancelIfUnseenAnswered(
  state: SaleState,
  { refersTo }: CancelIfUnseenMessage,
  fact: Acknowledged,
): Fact[] {
  const { disposition } = fact.answer;
  const original = messageOf(state, refersTo)?.kind;
  const isMoney = original === 'offline-record' || original === 'voice-authorization';
  const taken = disposition === 'approved' || disposition === 'reversed';
  if (disposition === 'nothing-to-reverse' || taken === isMoney || isReversalStanding(state)) return [fact];
  const text = isMoney
    ? DIFFERENCES.declined
    : DIFFERENCES[disposition === 'reversed' ? 'reversed' : 'captured'];
  return [fact, { kind: 'overdue', code: RESOLVED_OTHERWISE, text }];
}

/** How the sale differs from the till's answer, as texts for staff. */
const DIFFERENCES = {
  declined: 'manually resolved as approved, and declined by the gateway before: no money was received',
  reversed: 'manually resolved as approved, and reversed by the gateway before: no money was received',
  captured: 'manually resolved, and the gateway had taken a capture of it before',
} as const;
