import { OFFLINE_OFF, type OfflinePolicy } from '../../offline/offline-policy.js';

const HOUR_MS = 3_600_000;

/** What the sale machine needs in addition to the facts of a sale. */
export interface SalePolicy {
  /** How long the terminal may wait for a card. */
  readonly cardTimeoutMs: number;
  /** How long a sale that needs the gateway waits for a link before its card is read. */
  readonly linkWaitMs: number;
  /** How long a request that was handed over may stay unanswered. */
  readonly answerTimeoutMs: number;
  /** Pauses before the resolver's status requests; after the last the sale is reversed without a clear status. */
  readonly statusScheduleMs: readonly number[];
  /** How long a sale may stay unknown or reversing before it is parked for staff; its messages stay in the queue. */
  readonly overdueAfterMs: number;
  /** How long after a referral the issuer's approval code may be entered. */
  readonly voiceCodeWindowMs: number;
  /** An approval for less than the requested amount: `accept` it and report it to the till, or `reverse` it. */
  readonly partialApproval: 'accept' | 'reverse';
  /** How long a till's call waits for the end of a sale that became unknown or is being reversed. */
  readonly openAnswerWaitMs: number;
  /** A refund to a card without the sale that is refunded. */
  readonly unlinkedRefunds: boolean;
  /** Minor units by currency: most of one payment; a currency that is missing has no ceiling. */
  readonly ceilings: Readonly<Record<string, number>>;
  /** A tip is at most so much of what is bought; 0: no tips. Of the gateway's policy of the store alone. */
  readonly maxTipPercent: number;
  /** Minor units by currency: most cash back of one sale; a currency that is missing has none. Of the gateway's policy alone. */
  readonly cashBack: Readonly<Record<string, number>>;
  readonly offline: OfflinePolicy;
}

/** What holds unless it is configured. */
export const DEFAULT_POLICY: SalePolicy = {
  cardTimeoutMs: 60_000,
  linkWaitMs: 5_000,
  answerTimeoutMs: 30_000,
  statusScheduleMs: [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  overdueAfterMs: 24 * HOUR_MS,
  voiceCodeWindowMs: 24 * HOUR_MS,
  partialApproval: 'reverse',
  openAnswerWaitMs: 5_000,
  unlinkedRefunds: true,
  ceilings: {},
  maxTipPercent: 0,
  cashBack: {},
  offline: OFFLINE_OFF,
};
