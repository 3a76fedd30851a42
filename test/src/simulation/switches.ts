/** What a simulation may have beside the rest. */
export interface Switches {
  /** A merchant that pays over REST with what leaked from others' terminals. */
  readonly hostileMerchant: boolean;
}

/**
 * What is on. A line that is off waits for a fix of the product, and finds today:
 *
 * - `hostileMerchant`: P2, transactions stand that no till asked for: a replayed ciphertext as magstripe or of a foreign terminal, a typed
 *   card with the counter of a chip; then honest sales are refused as replays.
 */
export const SWITCHES: Switches = { hostileMerchant: false };
