import type { DriverFailure, EntryMode } from '../../../drivers/core/driver.js';

/** What a sale may be. */
export type SaleType = 'sale' | 'refund' | 'preauthorization';

/** The phases of a sale, in the order of its life. */
export const SALE_PHASES = [
  'accepted',
  'reading-card',
  'authorizing',
  'completing',
  'unknown',
  'reversing',
  'done',
  'parked',
] as const;

/** Where a sale stands (Agent REST, `state`). */
export type SalePhase = (typeof SALE_PHASES)[number];

/** Every way in which a sale can end. */
export const SALE_OUTCOMES = ['approved', 'declined', 'cancelled', 'reversed', 'expired', 'failed'] as const;

/** How a sale ended; it stays open until that is true. */
export type SaleOutcome = (typeof SALE_OUTCOMES)[number];

/** Outcomes that manual resolution of a parked sale may state. */
export type ManualOutcome = 'approved' | 'declined' | 'reversed' | 'failed';

/** Who decided: the gateway, the card (TC), or the merchant's policy (agent/docs/offline-rules.md, "Two kinds"). */
export type SaleMode = 'online' | 'offline-card' | 'offline-deferred';

/** What a person may see of the card. */
export interface AnswerCard {
  readonly brand?: string;
  readonly bin?: string;
  readonly last4Digits?: string;
  readonly entryMode: EntryMode;
}

/** EMV data of the receipt, uppercase hex where no other form is given. */
export interface AnswerEmv {
  readonly aid?: string;
  /** Application label, text. */
  readonly label?: string;
  readonly tvr?: string;
  readonly tsi?: string;
  /** Application cryptogram, tag 9F26. */
  readonly ac?: string;
  /** `TC`, `ARQC` or `AAC`, from tag 9F27. */
  readonly acType?: string;
  readonly atc?: string;
  /** CVM results, tag 9F34. */
  readonly cvm?: string;
  /** Authorisation response code, tag 8A, as text: `00`, `Y3`. */
  readonly arc?: string;
}

/** One line of what happened. */
export interface TimelineEntry {
  /** Milliseconds since 1970, the agent's wall clock. */
  readonly atMs: number;
  readonly step: string;
  readonly detail?: string;
  /** The till that requested it. */
  readonly by?: string;
}

/** One capture of a preauthorization. */
export interface AnswerCapture {
  /** The till's own name for it, where it gave one. */
  readonly captureReference?: string;
  /** Decimal text. */
  readonly amount: string;
  readonly final: boolean;
  readonly state: 'queued' | 'acknowledged' | 'refused' | 'parked' | 'withdrawn';
  /** Why it was refused. */
  readonly reason?: string;
}

/** What the till gets (interfaces, "Agent REST"). Amounts are decimal texts. */
export interface SaleAnswer {
  readonly reference: string;
  readonly terminalId: string;
  /** The till that requested it; absent: the store itself. */
  readonly till?: string;
  readonly type: SaleType;
  readonly state: SalePhase;
  /** `null` until known. */
  readonly outcome: SaleOutcome | null;
  /** `null` until decided. */
  readonly mode: SaleMode | null;
  readonly amount: string;
  readonly currency: string;
  /** Parts of `amount`: what the cardholder gives to staff, and what the till hands out in cash. */
  readonly tip?: string;
  readonly cashBack?: string;
  /** Where less than `amount` was approved: how much. The rest has to be paid another way. */
  readonly approvedAmount?: string;
  readonly captures?: readonly AnswerCapture[];
  /** Why it ended, or has to be reversed: a `SaleReason`. */
  readonly reason?: string;
  /** With `terminal-failed`: what the terminal could not do. */
  readonly failure?: DriverFailure;
  /** By which logs, traces and webhooks of the gateway name this sale; 32 hex. */
  readonly correlationId?: string;
  readonly paymentId?: string;
  readonly resultCode?: string;
  /** Of the issuer; absent without a separate approval. */
  readonly approvalCode?: string;
  readonly card?: AnswerCard;
  readonly emv?: AnswerEmv;
  readonly receipts?: { readonly customer: string; readonly merchant: string };
  /** An offline sale that was declined later or expired; `acknowledgedAt` (ISO 8601, UTC) once staff acknowledged it. */
  readonly lateDecline?: {
    readonly reason: 'declined-later' | 'expired-offline';
    readonly acknowledgedAt?: string;
    readonly acknowledgedBy?: string;
  };
  readonly cashierText: string;
  /** `at` is ISO 8601 in UTC. */
  readonly timeline: readonly (Omit<TimelineEntry, 'atMs'> & { readonly at: string })[];
}
