/** A payment, as far as the pages show it. What shoppers, merchants and terminals wrote is shown as text. */
export interface Payment {
  readonly id: string;
  readonly paymentType: string;
  readonly paymentBrand?: string;
  /** Decimal. */
  readonly amount?: string;
  readonly currency?: string;
  readonly merchantTransactionId?: string;
  readonly descriptor?: string;
  readonly result: { readonly code: string; readonly description: string };
  readonly card?: { readonly last4Digits?: string; readonly holder?: string };
  readonly customer?: { readonly email?: string };
  readonly pos?: { readonly terminalId?: string };
}

/** A payment of a list. */
export interface FoundPayment extends Payment {
  /** ISO 8601. */
  readonly at: string;
  readonly state: string;
  /** The store. */
  readonly agentId?: string;
  readonly terminalId?: string;
  /** Of the till or the merchant. */
  readonly reference?: string;
}

/** A page of a list; `next`: where the one behind it begins. */
export interface FoundPage {
  readonly payments: readonly FoundPayment[];
  readonly next?: string;
}

/** What may follow a payment. */
export type FollowUp = 'capture' | 'refund' | 'reversal' | 'increment';

/** Whether something may follow now, and why not. */
export interface NextStep {
  readonly paymentType: string;
  readonly followUp: FollowUp;
  readonly allowed: boolean;
  /** Decimal; absent: no limit, or the whole. */
  readonly upTo?: string;
  readonly code?: string;
  readonly description?: string;
}

/** Amounts of a payment and of what followed it, decimal. */
export interface Money {
  readonly currency: string;
  readonly authorized: string;
  readonly captured: string;
  readonly refunded: string;
  readonly chargedBack: string;
  readonly reversed: string;
  readonly next: readonly NextStep[];
}

/** A payment with those that follow it. */
export interface PaymentTree {
  readonly id: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: string;
  readonly code: string;
  readonly at: string;
  readonly followedBy: readonly PaymentTree[];
}

/** One record of what happened. */
export interface StoryEntry {
  readonly at: string;
  readonly source: string;
  readonly clock: string;
  readonly step: string;
  readonly by: string;
  readonly rule?: string;
  readonly code?: string;
  readonly detail?: string;
  readonly durationMs?: number;
  readonly ids?: Readonly<Record<string, string>>;
  readonly paymentId?: string;
}

/** What is missing of the story. */
export interface StoryGap {
  readonly source: string;
  readonly from?: string;
  readonly to?: string;
  readonly text: string;
}

/** What happened to a payment. */
export interface Story {
  readonly id: string;
  readonly money: Money;
  readonly linked: readonly PaymentTree[];
  readonly gaps: readonly StoryGap[];
  readonly clocks: readonly { readonly clock: string; readonly aheadMs: number }[];
  readonly timeline: readonly StoryEntry[];
}
