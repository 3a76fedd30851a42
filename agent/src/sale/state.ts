import type { Money } from '@tillbridge/protocol/payment/money.js';
import type { CardFacts } from '../drivers/driver.js';
import type { AnswerEmv, SaleMode, SaleOutcome, SalePhase, TimelineEntry } from './answer.js';
import type { AcceptedSale, SaleReason } from './facts.js';
import type { GatewayAnswer } from './gateway-answer.js';

/** Where a stream message of the sale stands. */
export type MessageFate = 'queued' | 'acknowledged' | 'parked';

/** The sale's reversal. */
export interface ReversalState {
  readonly messageId: string;
  readonly originalMessageId: string;
  readonly reason: SaleReason;
  readonly otherwise: SaleOutcome;
  readonly beside: boolean;
  readonly fate: MessageFate;
}

/** The sale's record made without the gateway. */
export interface OfflineState {
  readonly messageId: string;
  readonly approval: 'card-approved' | 'deferred';
  readonly fate: MessageFate;
}

/** The sale's capture. `refused`: the gateway said no, another may be tried. */
export interface CaptureState {
  readonly messageId: string;
  readonly minor: number;
  readonly fate: MessageFate | 'refused';
}

/** A sale as its facts tell it: plain data, the same live and after a replay. */
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
  /** Why it ended, or why it has to be undone. */
  readonly reason?: SaleReason;
  readonly detail?: string;
  /** Id of the authorization request. */
  readonly messageId?: string;
  /** What the gateway said of the authorization or the offline record. */
  readonly answer?: GatewayAnswer;
  readonly card?: CardFacts;
  readonly emv?: AnswerEmv;
  readonly cardEnd?: 'approved' | 'declined' | 'failed';
  /** The reversal ahead of an offline record. */
  readonly clearing?: ReversalState;
  readonly reversal?: ReversalState;
  readonly offline?: OfflineState;
  readonly capture?: CaptureState;
  readonly parked?: { readonly code: string; readonly text: string };
  readonly timeline: readonly TimelineEntry[];
}

/** The amount of the sale. */
export function amountOf(state: SaleState): Money {
  return { minor: state.request.minor, currency: state.request.currency };
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
  return state.offline?.messageId ?? state.messageId;
}
