import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type {
  CardFacts,
  DeviceOutcome,
  DeviceWork,
  DriverState,
  TerminalDriver,
  TerminalIdentity,
} from '../../drivers/core/driver.js';
import type { SALE_ERRORS } from '../../errors/error-table.js';
import type { QueueItem } from '../../journal/forward-queue.js';
import type { UplinkState } from '../../uplink/uplink.js';
import type { ManualOutcome, SaleAnswer, SaleOutcome, SalePhase, SaleType } from '../machine/state/answer.js';
import type { OfflineReadiness } from '../offline/offline-reasons.js';
import type { PolicyValue } from '../policy/policy-in-force.js';
import type { ReceiptData } from '../receipts/receipt-data.js';
import type { LateDecline } from '../runtime/late-declines.js';
import type { DayClose } from '../totals/day-close.js';
import type { TotalsBy, TotalsGroup } from '../totals/totals.js';
import type { ParkedSale } from './parked-sales.js';

/** A till's request, its amount already read. */
export interface SaleRequest {
  /** The till's own reference, unique per agent for ever: 1 to 64 printable ASCII characters. */
  readonly reference: string;
  readonly type: SaleType;
  readonly amount: Money;
  /** Parts of the amount of a sale, in its currency: what the cardholder gives to staff, and what the till hands out in cash. */
  readonly tip?: Money;
  readonly cashBack?: Money;
  /** May be left out while the agent has exactly one terminal. */
  readonly terminalId?: string;
  /** For a refund of an earlier sale of this agent: its reference. */
  readonly originalReference?: string;
  /** The till refuses an approval without the gateway. */
  readonly onlineOnly?: boolean;
  /** The till that requests it; absent: the store itself. A reference of one till is refused to others. */
  readonly till?: string;
  /** Cancels the sale where nothing is decided by then, milliseconds; the terminal's own limit for a card holds too. */
  readonly cancelAfterMs?: number;
}

/** One of several captures. */
export interface CaptureOptions {
  /** The till's name for it, unique in its sale; without one there is only one capture. */
  readonly captureReference?: string;
  /** No other capture follows. Default: so it is for a capture without a reference. */
  readonly final?: boolean;
}

/** Why the service refuses a call. With every code: nothing was journaled and no money moved. */
export type SaleErrorCode = keyof typeof SALE_ERRORS;

/** A call was refused; the message is meant for a person and names the field, the rule or the running sale. */
export class SaleError extends CodedError<SaleErrorCode> {
  readonly runningReference: string | undefined;

  constructor(code: SaleErrorCode, message: string, runningReference?: string) {
    super(code, message);
    this.runningReference = runningReference;
  }
}

/** What a card gives in addition to its masked number: in no answer, event or receipt, only by {@link SaleService.cardDetails}. */
export type CardDetails = Pick<CardFacts, 'expiry' | 'panSequenceNumber'>;

/** One terminal as a till sees it. */
export interface TerminalView {
  readonly id: string;
  readonly deviceType: string;
  readonly state: DriverState;
  readonly identity?: TerminalIdentity;
  /** The sale that occupies it. */
  readonly runningReference?: string;
  readonly offline: OfflineReadiness;
}

/** A terminal's condition, or why it cannot be read. */
export type ConditionView = Awaited<ReturnType<TerminalDriver['status']>>;

/** The agent as a till sees it. */
export interface StatusView {
  readonly gateway: { readonly state: UplinkState; readonly lastContactAgeSeconds?: number };
  readonly journal:
    | { readonly state: 'ready'; readonly row: number; readonly hash: string }
    | { readonly state: 'unavailable'; readonly reason: string; readonly detail: string };
  readonly terminals: readonly TerminalView[];
  /** `lateDeclines`: offline sales declined later or expired and not acknowledged. */
  readonly queue: { readonly depth: number; readonly parked: number; readonly lateDeclines: number };
  /** Sales that have no true end yet. */
  readonly open: readonly { readonly reference: string; readonly till?: string }[];
  /** Sales that wait for a person, and why. */
  readonly parked: readonly ParkedSale[];
  /** What applies, and which side set it. `version`: of the gateway's policy of the store; absent while it is not known. */
  readonly policy: { readonly version?: number; readonly values: readonly PolicyValue[] };
}

/** What the offline limits still allow on a terminal in a currency; `amount` is a decimal text. */
export interface OfflineLeft {
  readonly terminalId: string;
  readonly amount: string;
  readonly currency: string;
  readonly count: number;
  /** Of it, for deferred authorizations; absent where they are off. */
  readonly deferred?: { readonly amount: string; readonly count: number };
}

/** Money that a till counted on and that will not come; listed until staff acknowledges it. `amount` is a decimal text. */
export type LateDeclineView = Omit<LateDecline, 'minor' | 'fingerprint'> & { readonly amount: string };

/** A queued message, and whether it is an offline record that waited too long to be forwarded. */
export type QueueItemView = QueueItem & { readonly expired?: boolean };

/** What waits for the gateway. Sums are decimal texts by currency. */
export interface QueueView {
  readonly depth: number;
  readonly parked: number;
  readonly sums: Readonly<Record<string, string>>;
  readonly oldestAgeSeconds: number;
  readonly limitsLeft: readonly OfflineLeft[];
  readonly items: readonly QueueItemView[];
  /** Oldest first. */
  readonly lateDeclines: readonly LateDeclineView[];
}

/**
 * What happens, for tills and panels. Events with an `id` are durable: `id` is a row of the journal, it grows, and
 * `eventsAfter` gives them again. Events without one (progress, terminal, gateway, journal) are passing.
 */
export type TillEvent =
  | {
      readonly type: 'sale';
      readonly id: number;
      readonly atMs: number;
      readonly step: string;
      readonly sale: SaleAnswer;
    }
  /** An offline approval was refused by the gateway later, or was too old for it. */
  | {
      readonly type: 'declined-later' | 'expired';
      readonly id: number;
      readonly atMs: number;
      readonly sale: SaleAnswer;
    }
  | {
      readonly type: 'progress';
      readonly atMs: number;
      readonly reference: string;
      readonly terminalId: string;
      readonly till?: string;
      readonly step: string;
      readonly text?: string;
    }
  | { readonly type: 'terminal'; readonly atMs: number; readonly terminal: TerminalView }
  /** `silent`: the session is there, and the gateway does not answer a ping. */
  | {
      readonly type: 'gateway';
      readonly atMs: number;
      readonly state: UplinkState;
      readonly silent?: true;
    }
  | {
      readonly type: 'journal';
      readonly atMs: number;
      readonly state: 'ready' | 'unavailable';
      readonly reason?: string;
    };

/** Which sales to list: those that were accepted within a time. */
export interface SalesQuery {
  /** Milliseconds since 1970; from here on, and before `untilMs`. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly terminalId?: string;
  readonly till?: string;
  /** Default: oldest first. */
  readonly newestFirst?: boolean;
}

/** A page of sales. */
export interface SalesPage {
  readonly sales: readonly SaleAnswer[];
  /** Where the next page begins; absent on the last. */
  readonly next?: number;
}

/** What of a sale was given back. Amounts are decimal texts in its currency. */
export interface RefundsView {
  readonly currency: string;
  /** What the sale took: of a preauthorization what was captured. */
  readonly taken: string;
  /** What refunds gave back, or still may. */
  readonly refunded: string;
  /** What is left to be refunded. */
  readonly refundable: string;
  /** Oldest first; those that ended without a refund too. */
  readonly refunds: readonly {
    readonly reference: string;
    readonly amount: string;
    readonly state: SalePhase;
    readonly outcome: SaleOutcome | null;
  }[];
}

/** A till's request that is no sale; the request to read a card may have an amount. */
export type TillWork =
  | Exclude<DeviceWork, { readonly kind: 'read-card' }>
  | { readonly kind: 'read-card'; readonly amount: Money };

/** What a till may ask of the agent. Every method may throw {@link SaleError}. */
export interface SaleService {
  /**
   * Starts a sale, or joins the one of the same reference and parameters.
   * Resolves with the answer once the sale is done or parked; while it stays `unknown` or `reversing`, after a bounded wait
   * with that state. With `wait: false` as soon as it is journaled.
   */
  request(request: SaleRequest, options?: { readonly wait?: boolean }): Promise<SaleAnswer>;
  /** The running or stored answer. */
  get(reference: string): Promise<SaleAnswer>;
  /** Sales that match, behind the place where the last page ended (0: the first); as far back as the journal's retention. */
  sales(query: SalesQuery, after: number, limit: number): Promise<SalesPage>;
  /** What refunds of a sale have given back, as far back as the journal's retention. */
  refunds(reference: string): Promise<RefundsView>;
  /** The content of the receipts of a sale. @throws SaleError `not-allowed` where it has none */
  receipt(reference: string): Promise<ReceiptData>;
  /** Expiry and sequence number of the card of a sale, as far as it gave them; none after the journal's retention. Never to be logged. */
  cardDetails(reference: string): Promise<CardDetails>;
  /**
   * The totals of sales that match, each as it now stands.
   * @throws SaleError `bad-request` where the period has more sales than are added up at once
   */
  totals(query: SalesQuery, by: TotalsBy): Promise<readonly TotalsGroup[]>;
  /** Closes the day: journals what sales came to since the last close. The same reference again is the same close. `by`: the till. */
  closeDay(reference: string, by?: string): Promise<DayClose>;
  /** Day closes before a number, newest first; as far back as the journal's retention. */
  dayCloses(before: number | undefined, limit: number): Promise<readonly DayClose[]>;
  /**
   * Cancels a running sale; resolves with the answer as it then is (a sale past its decision stays as it is). `by`: the till that requested it,
   * as at {@link reverse}.
   */
  cancel(reference: string, by?: string): Promise<SaleAnswer>;
  /**
   * Reverses an approved sale: queued for the gateway, resolves as `request` does. Repeating it changes nothing. `by`: the till that requested it,
   * which is journaled; absent: the store itself.
   */
  reverse(reference: string, by?: string): Promise<SaleAnswer>;
  /**
   * Captures an approved preauthorization, all of it or one of several parts, at most what is left of it. Resolves as `request` does.
   * The same call again gives the same capture; a part differs from a repeated call by its own reference.
   */
  capture(reference: string, amount: Money, options?: CaptureOptions): Promise<SaleAnswer>;
  /** Ends a referral: the issuer gave this approval code on the phone. Resolves as `request` does; the same code again changes nothing. */
  approveByVoice(reference: string, approvalCode: string): Promise<SaleAnswer>;
  /** Resolves a parked sale manually, as staff states its end; `note`: how they know, `by` which till it was. */
  resolve(reference: string, outcome: ManualOutcome, note: string, by?: string): Promise<SaleAnswer>;
  /**
   * Acknowledges a late decline: it is no longer listed, and its card may be taken offline again. `by`: who acknowledged it.
   * Repeating it changes nothing.
   */
  acknowledge(reference: string, by?: string): Promise<SaleAnswer>;
  terminals(): readonly TerminalView[];
  /**
   * Reads the condition of a terminal; `failed` while a sale runs on it, and where it is silent or gone.
   * Rejects for a terminal that is not configured.
   */
  condition(terminalId: string): Promise<ConditionView>;
  /**
   * Has a terminal do what is no sale; `failed` while a sale runs on it, and where it is silent or gone, `unavailable` where its maker's
   * protocol does not have it. Rejects for a terminal that is not configured.
   */
  device(terminalId: string, work: TillWork): Promise<DeviceOutcome>;
  /** Stops what `device` waits for: a card, or the answer of a person. */
  cancelDevice(terminalId: string): Promise<void>;
  status(): StatusView;
  queue(): QueueView;
  /** Has the uplink try the backlog now; resolves with the queue as it then is. */
  flush(): Promise<QueueView>;
  /** Calls `listener` for every event from now on. Returns the function that ends the subscription. */
  onEvent(listener: (event: TillEvent) => void): () => void;
  /** Durable events with an id above `afterId`, oldest first, at most `limit`. */
  eventsAfter(afterId: number, limit: number): Promise<readonly TillEvent[]>;
}
