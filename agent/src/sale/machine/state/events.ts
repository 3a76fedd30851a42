import type { Money } from '@tillbridge/wire/payment/money.js';
import type {
  CardData,
  CompleteOutcome,
  OnlineResult,
  StartOutcome,
  TerminalRisk,
} from '../../../drivers/core/driver.js';
import type { UplinkState } from '../../../uplink/uplink.js';
import type { FingerprintCard } from '../../offline/card-fingerprint.js';
import type { OfflineReason } from '../../offline/offline-reasons.js';
import type { OfflineSituation } from '../../offline/offline-rules.js';
import type { ManualOutcome } from './answer.js';
import type { DisplayText } from './display-texts.js';
import type { Fact } from './facts.js';
import type { GatewayAnswer } from './gateway-answer.js';
import type { SalePolicy } from './policy.js';
import type { SaleState } from './sale-state.js';

/** What happens to a sale. */
export type SaleEvent =
  /** The sale is journaled and has its terminal. */
  | { readonly kind: 'begin' }
  /** Driver: reading the card ended. */
  | { readonly kind: 'card-read'; readonly outcome: StartOutcome }
  /** Driver: the card has the answer, or “unable to go online”. */
  | { readonly kind: 'card-completed'; readonly outcome: CompleteOutcome }
  /** Uplink: whether anything of the authorization was handed to the socket. */
  | { readonly kind: 'sent'; readonly handedOver: boolean }
  | {
      readonly kind: 'answer';
      readonly messageId: string;
      readonly answer: GatewayAnswer;
      /** For the card: tags 91, 71, 72. Never journaled. */
      readonly issuerData: Uint8Array;
    }
  | {
      readonly kind: 'status';
      readonly messageId: string;
      readonly state: 'not-seen' | 'in-progress' | 'answered' | 'tombstoned';
      readonly answer?: GatewayAnswer;
      readonly issuerData: Uint8Array;
    }
  | { readonly kind: 'timer'; readonly timer: SaleTimer }
  | { readonly kind: 'link'; readonly state: UplinkState }
  /** Forward queue: the gateway has committed one of the sale's stream messages. */
  | { readonly kind: 'acknowledged'; readonly messageId: string; readonly answer: GatewayAnswer }
  | { readonly kind: 'parked'; readonly messageId: string; readonly code: string; readonly text: string }
  /** Till. */
  /** `by`: the till that requests it; absent: the store itself. */
  | { readonly kind: 'cancel'; readonly by?: string }
  | { readonly kind: 'reverse'; readonly by?: string }
  | {
      readonly kind: 'capture';
      readonly minor: number;
      readonly final: boolean;
      readonly reference?: string;
    }
  /** Till: the issuer gave an approval code on the phone. */
  | { readonly kind: 'voice-approved'; readonly approvalCode: string }
  /** Staff states how a parked sale ended. */
  | {
      readonly kind: 'resolve-manually';
      readonly outcome: ManualOutcome;
      readonly note: string;
      readonly by?: string;
    }
  /** The sale's offline record is older than the policy lets it become. */
  | { readonly kind: 'expire' }
  /** Staff acknowledged a late decline; `by`: who, as the till names them. */
  | { readonly kind: 'late-decline-acknowledged'; readonly by?: string }
  /** First event after a boot of a sale that was open. */
  | { readonly kind: 'restarted' }
  /** What the last event led to could not be journaled. */
  | { readonly kind: 'journal-lost' };

/**
 * `link`: no link came up in time. `answer`: the gateway takes too long. `resolve`: time for the next status request.
 * `overdue`: the outcome is not known for so long that staff has to resolve the sale.
 */
export type SaleTimer = 'link' | 'answer' | 'resolve' | 'overdue';

/** What the shell does, in this order, after the facts are on disk. */
export type Effect =
  | { readonly do: 'start-card'; readonly risk: TerminalRisk }
  | { readonly do: 'complete-card'; readonly result: OnlineResult }
  /** The card gets a decline and is removed; its second cryptogram changes nothing any more. */
  | { readonly do: 'decline-card'; readonly text: DisplayText }
  | { readonly do: 'cancel-card' }
  /** `amount`: the approved amount, where it is less than the cardholder saw. */
  | { readonly do: 'finish-card'; readonly text: DisplayText; readonly amount?: Money }
  | { readonly do: 'send-authorization'; readonly messageId: string; readonly card?: CardData }
  /** The uplink shall try now. */
  | { readonly do: 'wake-link' }
  | { readonly do: 'ask-status'; readonly messageId: string }
  | { readonly do: 'set-timer'; readonly timer: SaleTimer; readonly delayMs: number }
  | { readonly do: 'stop-timer'; readonly timer: SaleTimer };

/** State only in memory, never journaled: the card in the slot, and requests during the sale. */
export interface Live {
  /** Until the sale is decided; its PIN block goes as soon as the request was handed over or not. */
  readonly card: CardData | undefined;
  readonly handedOver: boolean;
  /** A PIN block was part of the request: only the issuer could have verified it. */
  readonly pinGiven: boolean;
  /** The card is at its offline decision. */
  readonly decidingOffline: boolean;
  readonly cancelRequested: boolean;
  /** The till that requested it. */
  readonly cancelRequestedBy?: string;
  /** Status requests sent. */
  readonly statusRequests: number;
}

/** A sale that has not begun. */
export const NOTHING_LIVE: Live = {
  card: undefined,
  handedOver: false,
  pinGiven: false,
  decidingOffline: false,
  cancelRequested: false,
  statusRequests: 0,
};

/** A sale rebuilt from its rows: the request of its journaled message id may have been handed over. */
export const REPLAYED_LIVE: Live = { ...NOTHING_LIVE, handedOver: true };

/** The journaled state, and the state that is only in memory. */
export interface Sale {
  readonly state: SaleState;
  readonly live: Live;
}

/** What a step may read in addition to the sale; all of it is input, nothing is fetched. */
export interface StepContext {
  readonly nowMs: number;
  /** Fresh message ids, used in this order. */
  readonly ids: readonly [string, string, ...string[]];
  readonly policy: SalePolicy;
  readonly link: UplinkState;
  /** What stands against approving this sale without the gateway, its card aside. */
  readonly offlineReasons: readonly OfflineReason[];
  /** What else the rules look at once the card is known. */
  readonly offline: OfflineSituation;
  /** A keyed hash. */
  readonly fingerprint: FingerprintCard;
}

/** Sensitive data of a stream message, kept encrypted until the message is acknowledged. */
export interface SensitiveData {
  readonly messageId: string;
  readonly iccData: Uint8Array;
  readonly sred?: { readonly data: Uint8Array; readonly ksn: Uint8Array };
}

/** What a step decides. */
export interface Decision {
  /** Journaled in one write before any effect. */
  readonly facts?: readonly Fact[];
  readonly sensitive?: readonly SensitiveData[];
  readonly effects?: readonly Effect[];
  readonly live?: Partial<Live>;
}

/** The event means nothing here. */
export const NOTHING: Decision = {};

/** One kind of event. */
export type EventOf<K extends SaleEvent['kind']> = Extract<SaleEvent, { readonly kind: K }>;

/** Decides about one kind of event in one phase. */
export type Step<K extends SaleEvent['kind']> = (
  sale: Sale,
  event: EventOf<K>,
  context: StepContext,
) => Decision;

/** One phase: a step for each event that means something there (reaction-texts.ts has the reasons for the others). */
export type PhaseSteps = { readonly [K in SaleEvent['kind']]?: Step<K> };
