import { formatAmount } from '@tillbridge/protocol/payment/money.js';
import type { SettledOutcome } from '../answer.js';
import type { Decision, SaleEvent, StepContext } from '../events.js';
import type { Fact } from '../facts.js';
import {
  type CancelIfUnseenMessage,
  capturesOf,
  isParked,
  isReversalStanding,
  messageOf,
  parkedMessages,
  reversalOf,
  type SaleMessage,
} from '../messages.js';
import { amountOf, moneyMessageId, type SaleState } from '../state.js';
import { capturedMinor } from './captures.js';
import { ended, reversal } from './common.js';
import { retryPrecedingReversal, withdrawn } from './stuck.js';

/** Code of a sale that a person has settled in one way and the gateway in another. */
export const SETTLED_OTHERWISE = 'settled-otherwise';

type Acknowledged = Extract<Fact, { readonly kind: 'acknowledged' }>;

/**
 * A person found out how the sale ended, and the books follow: a sale that is none is reversed, whatever may be booked of it, now or by
 * a later try at the gateway; of one that stands, what was parked is kept out for ever. A first booking ahead of an offline record is to
 * be undone in both cases: its reversal goes out once more, and is given up where a person settles the sale a second time.
 */
export function settle(
  state: SaleState,
  { outcome, note }: Extract<SaleEvent, { readonly kind: 'settle' }>,
  { ids }: StepContext,
): Decision {
  const [first, ...others] = ids;
  const cleared = state.reason === 'settled-by-hand' ? [] : retryPrecedingReversal(state, first);
  const left = cleared.length > 0 ? others : ids;
  const gone = parkedMessages(state)
    .filter(({ kind }) => cleared.length === 0 || kind !== 'preceding-reversal')
    .map(({ messageId }) => withdrawn(messageId, `settled by hand: ${note}`));
  const books = outcome === 'approved' ? keepAll(state, left) : undo(state, outcome, left);
  return { facts: [...gone, ...cleared, ...books, ended(outcome, state.mode, 'settled-by-hand', note)] };
}

/**
 * Captures are asked about first: what was taken of them stands. Nothing is undone where a reversal waits already, had its way, or was
 * refused by a gateway that a person has found another way around.
 */
function undo(state: SaleState, outcome: SettledOutcome, ids: readonly string[]): Fact[] {
  if (moneyMessageId(state) === undefined || isReversalStanding(state)) return [];
  const undone = reversal(state, idAt(ids, 0), 'settled-by-hand', outcome);
  return [...keepOut(state, capturesOf(state).filter(isParked), ids.slice(1)), undone];
}

/** The reversal ahead of an offline record may still be taken: it undoes no money that the sale stands for. */
function keepAll(state: SaleState, ids: readonly string[]): Fact[] {
  const others = parkedMessages(state).filter(
    ({ kind }) => kind !== 'preceding-reversal' && kind !== 'keep-out',
  );
  return keepOut(state, others, ids);
}

/** Of a sale that is reversed while captures of it are parked: they leave the queue, and the gateway is asked about them. */
export function keepCapturesOut(state: SaleState, ids: readonly string[]): Fact[] {
  const parked = capturesOf(state).filter(isParked);
  const gone = parked.map(({ messageId }) => withdrawn(messageId, 'the sale is reversed'));
  return [...gone, ...keepOut(state, parked, ids)];
}

function keepOut(state: SaleState, messages: readonly SaleMessage[], ids: readonly string[]): Fact[] {
  const amount = amountOf(state);
  return messages.map(({ messageId: originalMessageId }, at) => {
    return { kind: 'keep-out', messageId: idAt(ids, at), originalMessageId, amount };
  });
}

function idAt(ids: readonly string[], at: number): string {
  const id = ids[at];
  if (id === undefined)
    throw new Error('there is an id for every message that is parked, and one for a reversal');
  return id;
}

/** What stands against settling by hand, in words for a person; `undefined` when nothing does. */
export function settleRefusal(state: SaleState, outcome: SettledOutcome): string | undefined {
  const { phase, request } = state;
  if (phase !== 'parked') return `it is ${state.outcome ?? phase}: only a parked sale is settled by hand`;
  if (outcome === 'approved') {
    return reversalOf(state)?.deliveryStatus === 'queued'
      ? 'its reversal still waits for the gateway and will undo it: it cannot be settled as approved'
      : undefined;
  }
  const captured = { minor: capturedMinor(state), currency: request.currency };
  return captured.minor > 0
    ? `${captured.currency} ${formatAmount(captured)} of it is captured: settle it as approved, and give the money back with a refund`
    : undefined;
}

/** A capture that the gateway had taken outlives the reversal of a sale that a person settled as none. */
export function keepsCapture(state: SaleState): Fact[] {
  const isOdd = reversalOf(state)?.reason === 'settled-by-hand' && capturedMinor(state) > 0;
  return isOdd ? [{ kind: 'overdue', code: SETTLED_OTHERWISE, text: DIFFERENCES.captured }] : [];
}

/** The gateway's word on a message that it was told to keep out: where it had taken it before, that may be another end than the till was told. */
export function keptOutAnswered(
  state: SaleState,
  { refersTo }: CancelIfUnseenMessage,
  heard: Acknowledged,
): Fact[] {
  const { disposition } = heard.answer;
  const original = messageOf(state, refersTo)?.kind;
  const isMoney = original === 'offline-record' || original === 'voice-authorization';
  const taken = disposition === 'approved' || disposition === 'reversed';
  if (disposition === 'nothing-to-reverse' || taken === isMoney || isReversalStanding(state)) return [heard];
  const text = isMoney
    ? DIFFERENCES.declined
    : DIFFERENCES[disposition === 'reversed' ? 'undone' : 'captured'];
  return [heard, { kind: 'overdue', code: SETTLED_OTHERWISE, text }];
}

/** What the till was not told, in words for a person. */
const DIFFERENCES = {
  declined: 'settled by hand as approved, and declined by the gateway before: no money was received',
  undone: 'settled by hand as approved, and undone by the gateway before: no money was received',
  captured: 'settled by hand, and the gateway had taken a capture of it before',
} as const;
