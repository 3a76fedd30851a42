/** What a payment may wait for: a redirect's page, an issuer's challenge, a mandate, a person's review, the receipt of a transfer. */
export const WAIT_KINDS = ['redirect', 'challenge', 'mandate', 'review', 'receipt'] as const;

/** What a payment waits for. */
export type WaitKind = (typeof WAIT_KINDS)[number];
