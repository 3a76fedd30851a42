import type { Money } from '@tillbridge/protocol/payment/money.js';
import type { CardFacts } from '../drivers/driver.js';
import type { AnswerEmv, SaleMode, SaleOutcome, SalePhase, TimelineEntry } from './answer.js';
import type { CardFingerprint } from './card-fingerprint.js';
import type { AcceptedSale, SaleReason } from './facts.js';
import type { GatewayAnswer } from './gateway-answer.js';
import type { OfflineApproval } from './offline-policy.js';

/** Where a stream message of the sale stands. */
export type MessageFate = 'queued' | 'acknowledged' | 'parked';

/** The sale's reversal. */
export interface ReversalState {
  readonly messageId: string;
  readonly originalMessageId: string;
  readonly reason: SaleReason;
  readonly otherwise: SaleOutcome;
  readonly beside: boolean;
  /** `refused`: a till asked for it, the gateway said no, and it may be asked again. */
  readonly fate: MessageFate | 'refused';
}

/** The sale's record made without the gateway. */
export interface OfflineState {
  readonly messageId: string;
  readonly approval: OfflineApproval;
  readonly fingerprint?: CardFingerprint;
  /** Too old: it is sent as such, and the gateway refuses it unless it has answered it before. */
  readonly expired?: boolean;
  readonly fate: MessageFate;
}

/** One capture of the sale. `refused`: the gateway said no, another may be tried. */
export interface CaptureState {
  readonly messageId: string;
  /** The till's name for it; absent: the till knows of one capture only. */
  readonly reference?: string;
  readonly minor: number;
  readonly final: boolean;
  readonly fate: MessageFate | 'refused';
  /** What the gateway said to it. */
  readonly refusal?: string;
}

/** The approval code that the issuer gave on the phone. `refused`: the issuer does not know it, another may be entered. */
export interface VoiceState {
  readonly messageId: string;
  readonly approvalCode: string;
  readonly fate: MessageFate | 'refused';
}

/** The word to the gateway that a message was settled by hand while it was parked, and is never to be taken. */
export interface KeptOutState {
  readonly messageId: string;
  readonly originalMessageId: string;
  readonly fate: MessageFate;
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
  /** In the order in which the till asked for them. */
  readonly captures: readonly CaptureState[];
  readonly voice?: VoiceState;
  readonly keptOut?: readonly KeptOutState[];
  /** Since when nobody knows how it ends: when it became unknown, or its reversal was journaled. Milliseconds since 1970. */
  readonly openSinceMs?: number;
  /** Who took note of money that did not come, and when. */
  readonly seen?: { readonly atMs: number; readonly by?: string };
  readonly parked?: { readonly code: string; readonly text: string };
  readonly timeline: readonly TimelineEntry[];
  /** Its oldest rows were removed from the journal, and its card's data with them. */
  readonly compacted?: boolean;
}

/** A message of the sale in its terminal's stream. */
export interface StreamMessage {
  readonly messageId: string;
  readonly fate: MessageFate | 'refused';
}

/** The sale's messages in its terminal's stream. */
export function streamMessages(state: SaleState): readonly StreamMessage[] {
  const { clearing, reversal, offline, voice, captures, keptOut = [] } = state;
  return [clearing, reversal, offline, voice, ...captures, ...keptOut].filter((each) => each !== undefined);
}

/** Those that the gateway would not take. */
export function parkedMessages(state: SaleState): readonly StreamMessage[] {
  return streamMessages(state).filter(({ fate }) => fate === 'parked');
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
  return state.voice?.messageId ?? state.offline?.messageId ?? state.messageId;
}

/** What the gateway approved where it said so, else what was asked for. */
export function approvedAmount(state: SaleState): Money {
  const { minor, currency } = amountOf(state);
  const { answer } = state;
  const said = answer?.disposition === 'approved' && answer.currency === currency;
  return { minor: said ? (answer.amountMinor ?? minor) : minor, currency };
}

/** The sale is approved, for less than was asked for. */
export function isPartlyApproved(state: SaleState): boolean {
  return state.outcome === 'approved' && approvedAmount(state).minor < amountOf(state).minor;
}

/** Taken without the gateway, forwarded since, and approved there: the money is sure. */
export function isAuthorizedLater({ offline, answer, outcome }: SaleState): boolean {
  return outcome === 'approved' && offline?.fate === 'acknowledged' && answer?.disposition === 'approved';
}
