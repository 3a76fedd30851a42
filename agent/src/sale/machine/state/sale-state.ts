import type { Money } from '@tillbridge/wire/payment/money.js';
import type { CardFacts } from '../../../drivers/core/driver.js';
import type { AnswerEmv, SaleMode, SaleOutcome, SalePhase, TimelineEntry } from './answer.js';
import type { AcceptedSale, SaleReason } from './facts.js';
import type { GatewayAnswer } from './gateway-answer.js';
import { offlineRecordOf, type SaleMessage, voiceOf } from './messages.js';

/** A sale by its facts: plain data, the same live and after a replay. */
export interface SaleState {
  readonly reference: string;
  readonly terminalId: string;
  readonly request: AcceptedSale;
  /** Row of `accepted`: grows for ever on this agent, so it serves as transaction sequence number (tag 9F41). */
  readonly acceptedRow: number;
  readonly acceptedAtMs: number;
  readonly phase: SalePhase;
  readonly outcome: SaleOutcome | null;
  readonly mode: SaleMode | null;
  /** Why it ended, or why it has to be reversed. */
  readonly reason?: SaleReason;
  readonly detail?: string;
  /** Id of the authorization request. */
  readonly messageId?: string;
  /** The gateway's answer to the authorization or the offline record. */
  readonly answer?: GatewayAnswer;
  readonly card?: CardFacts;
  readonly emv?: AnswerEmv;
  readonly cardEnd?: 'approved' | 'declined' | 'failed';
  /** The durable messages of the sale in its terminal’s stream, oldest first. */
  readonly messages: readonly SaleMessage[];
  /** Since when its end is unknown: when it became unknown, or its reversal was journaled. Milliseconds since 1970. */
  readonly openSinceMs?: number;
  /** Who acknowledged the late decline, and when. */
  readonly lateDeclineAcknowledged?: { readonly atMs: number; readonly by?: string };
  readonly parked?: { readonly code: string; readonly text: string };
  readonly timeline: readonly TimelineEntry[];
  /** Its oldest rows were removed from the journal, and its card's data with them. */
  readonly compacted?: boolean;
}

/** The amount of the sale. */
export function amountOf(state: SaleState): Money {
  return { minor: state.request.minor, currency: state.request.currency };
}

/** The tip of the sale, a part of its amount. */
export function tipOf({ request: { tipMinor, currency } }: SaleState): Money | undefined {
  return tipMinor === undefined ? undefined : { minor: tipMinor, currency };
}

/** What the till hands out in cash, a part of the amount of the sale. */
export function cashBackOf({ request: { cashBackMinor, currency } }: SaleState): Money | undefined {
  return cashBackMinor === undefined ? undefined : { minor: cashBackMinor, currency };
}

/** Whether the sale has no true end yet. */
export function isOpen(state: SaleState): boolean {
  return state.phase !== 'done' && state.phase !== 'parked';
}

/** Whether the sale occupies its terminal. */
export function holdsTerminal(state: SaleState): boolean {
  return TERMINAL_PHASES.has(state.phase);
}

const TERMINAL_PHASES: ReadonlySet<SalePhase> = new Set([
  'accepted',
  'reading-card',
  'authorizing',
  'completing',
]);

/** A refund of an earlier sale goes back to that sale's card: no card is read. */
export function isLinkedRefund(state: SaleState): boolean {
  return state.request.type === 'refund' && state.request.originalMessageId !== undefined;
}

/** The message that holds the sale's money at the gateway: what a reversal, refund or capture refers to. */
export function moneyMessageId(state: SaleState): string | undefined {
  return voiceOf(state)?.messageId ?? offlineRecordOf(state)?.messageId ?? state.messageId;
}

/** The amount that the gateway approved where its answer has one, else the requested one. */
export function approvedAmount(state: SaleState): Money {
  const { minor, currency } = amountOf(state);
  const { answer } = state;
  const hasAnswer = answer?.disposition === 'approved' && answer.currency === currency;
  return { minor: hasAnswer ? (answer.amountMinor ?? minor) : minor, currency };
}

/** The sale is approved, for less than the requested amount. */
export function isPartlyApproved(state: SaleState): boolean {
  return state.outcome === 'approved' && wasPartlyApproved(state);
}

/** The same, also where it was reversed since. */
export function wasPartlyApproved(state: SaleState): boolean {
  const isTaken = state.outcome === 'approved' || state.outcome === 'reversed';
  return isTaken && approvedAmount(state).minor < amountOf(state).minor;
}

/** Taken without the gateway, forwarded since, and approved there: the money is sure. */
export function isAuthorizedLater(state: SaleState): boolean {
  const isTaken = offlineRecordOf(state)?.deliveryStatus === 'acknowledged';
  return state.outcome === 'approved' && isTaken && state.answer?.disposition === 'approved';
}
