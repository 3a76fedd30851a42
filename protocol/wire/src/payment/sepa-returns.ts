const DAY_MS = 24 * 3_600_000;

/** How long after its due date a direct debit may come back: with a mandate for eight weeks, without one for thirteen months (SEPA Core). */
export const RETURN_WINDOWS_MS = { authorized: 8 * 7 * DAY_MS, unauthorized: 396 * DAY_MS } as const;

/** What a reason of return means. */
interface ReturnRule {
  /** Result code of the chargeback (gateway/docs/chargebacks.md). */
  readonly resultCode: string;
  readonly window: keyof typeof RETURN_WINDOWS_MS;
}

/** Reasons for which a bank returns a direct debit (ISO 20022 external status reasons; reference, November 2026). */
export const RETURN_REASONS = {
  /** Account identifier incorrect. */
  AC01: { resultCode: '000.100.201', window: 'authorized' },
  /** Account closed. */
  AC04: { resultCode: '000.100.202', window: 'authorized' },
  /** Account blocked. */
  AC06: { resultCode: '000.100.208', window: 'authorized' },
  /** Not enough money. */
  AM04: { resultCode: '000.100.203', window: 'authorized' },
  /** No mandate. */
  MD01: { resultCode: '000.100.204', window: 'unauthorized' },
  /** The payer wants the money back. */
  MD06: { resultCode: '000.100.206', window: 'authorized' },
  /** No reason given. */
  MS03: { resultCode: '000.100.200', window: 'authorized' },
} as const satisfies Readonly<Record<string, ReturnRule>>;

/** A reason of return. */
export type ReturnReason = keyof typeof RETURN_REASONS;
