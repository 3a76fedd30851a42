import type { Money } from '@tillbridge/wire/payment/money.js';
import type { CardFacts } from '../../../drivers/core/driver.js';
import type { CardFingerprint } from '../../offline/card-fingerprint.js';
import type { OfflineApproval } from '../../offline/offline-policy.js';
import type { AnswerEmv, SaleMode, SaleOutcome, SaleType } from './answer.js';
import type { GatewayAnswer } from './gateway-answer.js';

/** Why a sale ended, or has to be reversed: one word per cashier text. */
export type SaleReason =
  | 'approved'
  | 'approved-offline'
  | 'approved-deferred'
  | 'declined-by-issuer'
  | 'declined-by-card'
  /** The issuer wants a call before it decides (ISO 8583 field 39: 01, 02). */
  | 'referral'
  | 'approved-by-voice'
  | 'voice-code-refused'
  | 'declined-later'
  /** An offline record waited too long: the gateway will never authorize it. */
  | 'expired-offline'
  | 'refused-by-gateway'
  | 'cancelled-by-cardholder'
  | 'cancelled-by-till'
  | 'card-timeout'
  | 'terminal-failed'
  | 'gateway-unreachable'
  | 'offline-not-allowed'
  | 'no-answer'
  | 'amount-differs'
  | 'reversed-by-till'
  /** A till reversed a preauthorization of which a part is captured: what was captured stays. */
  | 'rest-released'
  /** A till requested a reversal and the gateway refused it: the sale stands as it was. */
  | 'reversal-refused'
  | 'manually-resolved'
  | 'agent-restarted'
  | 'journal-unavailable';

/** A reversal is on disk. `otherwise`: the outcome where there was nothing to reverse. */
interface ReversalFact<K extends string> {
  readonly kind: K;
  readonly messageId: string;
  readonly originalMessageId: string;
  readonly reason: SaleReason;
  readonly otherwise: SaleOutcome;
  readonly amount: Money;
  /** The till that requested it. */
  readonly by?: string;
}

/** The request of a till, as journaled. */
export interface AcceptedSale {
  readonly type: SaleType;
  readonly minor: number;
  readonly currency: string;
  /** Of the amount: what the cardholder gives to staff, and what the till hands out in cash; minor units. Absent: none. */
  readonly tipMinor?: number;
  readonly cashBackMinor?: number;
  readonly originalReference?: string;
  /** The message that created what is refunded. */
  readonly originalMessageId?: string;
  readonly onlineOnly: boolean;
  /** The till that requested it; absent: the store itself. */
  readonly till?: string;
}

/**
 * What became true of a sale; each is a row of the journal, except `reading`, which a restart forgets on purpose.
 * A sale's state is the fold of its facts, so a replay gives the same state.
 */
export type Fact =
  | { readonly kind: 'accepted'; readonly sale: AcceptedSale }
  | { readonly kind: 'reading' }
  /** The message id is on disk before a byte of the request may leave (ARCHITECTURE.md, "The life of a card-present sale", 3). */
  | {
      readonly kind: 'authorizing';
      readonly messageId: string;
      readonly card?: CardFacts;
      readonly emv?: AnswerEmv;
    }
  /** `late`: it came when the sale had gone on without it. */
  | { readonly kind: 'answered'; readonly answer: GatewayAnswer; readonly late: boolean }
  | {
      readonly kind: 'completed';
      readonly result: 'approved' | 'declined' | 'failed';
      readonly emv?: AnswerEmv;
      readonly detail?: string;
    }
  | { readonly kind: 'unknown'; readonly reason: SaleReason }
  | ReversalFact<'reversal'>
  /** It goes out ahead of an offline record of the same sale, and is not the sale's own end. */
  | ReversalFact<'preceding-reversal'>
  | {
      readonly kind: 'offline-record';
      readonly messageId: string;
      readonly approval: OfflineApproval;
      readonly card: CardFacts;
      /** Distinguishes one card from another. Absent in rows of older builds. */
      readonly fingerprint?: CardFingerprint;
      readonly emv?: AnswerEmv;
      readonly decidedAtMs: number;
      readonly amount: Money;
    }
  | {
      readonly kind: 'capture';
      readonly messageId: string;
      readonly originalMessageId: string;
      readonly amount: Money;
      /** The till's name for one of several captures; absent: the only one. */
      readonly captureReference?: string;
      /** No further capture. Absent in rows of older builds, whose only capture was final. */
      readonly final?: boolean;
    }
  /** A parked message was manually resolved: the gateway must never take it, and answers with the outcome if it did before. */
  | {
      readonly kind: 'cancel-if-unseen';
      readonly messageId: string;
      readonly originalMessageId: string;
      readonly amount: Money;
    }
  /** The issuer gave an approval code on the phone, and the till entered it. */
  | {
      readonly kind: 'voice-authorization';
      readonly messageId: string;
      readonly originalMessageId: string;
      readonly approvalCode: string;
      readonly amount: Money;
    }
  /** The offline record is too old: where it is still sent, it is sent as such. */
  | { readonly kind: 'too-old' }
  /** Staff acknowledged a late decline. */
  | { readonly kind: 'late-decline-acknowledged'; readonly by?: string }
  /** No answer for too long, in doubt, or at odds with the manual resolution: parked for staff; queued messages stay in the queue. */
  | { readonly kind: 'overdue'; readonly code: string; readonly text: string }
  | { readonly kind: 'acknowledged'; readonly messageId: string; readonly answer: GatewayAnswer }
  /** The agent took the message out of the queue; `text` is the reason. */
  | { readonly kind: 'withdrawn'; readonly messageId: string; readonly text: string }
  | { readonly kind: 'parked'; readonly messageId: string; readonly code: string; readonly text: string }
  | {
      readonly kind: 'ended';
      readonly outcome: SaleOutcome;
      readonly mode: SaleMode | null;
      readonly reason: SaleReason;
      readonly detail?: string;
      /** The till that stated it. */
      readonly by?: string;
    };

/** Names of the facts. */
export type FactKind = Fact['kind'];

/** Facts that travel in the terminal's stream. */
export type StreamFact = Extract<
  Fact,
  {
    readonly kind:
      | 'reversal'
      | 'preceding-reversal'
      | 'cancel-if-unseen'
      | 'offline-record'
      | 'capture'
      | 'voice-authorization';
  }
>;

const STREAM_FACTS: Readonly<Record<StreamFact['kind'], true>> = {
  reversal: true,
  'preceding-reversal': true,
  'cancel-if-unseen': true,
  'offline-record': true,
  capture: true,
  'voice-authorization': true,
};

/** Whether the fact travels in the terminal's stream. */
export function isStreamFact(fact: Fact): fact is StreamFact {
  return Object.hasOwn(STREAM_FACTS, fact.kind);
}

/** Whether the fact is journaled. */
export function isDurable(fact: Fact): boolean {
  return fact.kind !== 'reading';
}
