/** What a simulation may have or report beside the rest. */
export interface Switches {
  /** A store of another merchant whose agent lies about offline sales. */
  readonly hostileStore: boolean;
  /** A merchant that pays over REST with what leaked from others' terminals. */
  readonly hostileMerchant: boolean;
  /** An offline record that expired because the gateway's clock was wrong is reported. */
  readonly gatewayClockExpiry: boolean;
}

/**
 * What is on. A line that is off waits for a fix of the product, and finds today:
 *
 * - `hostileStore`: P2, transactions stand that no till asked for: a record without a TC or with a forged one, a magstripe, EUR 90,000,
 *   one decided in 1970, one of a terminal of another merchant.
 * - `hostileMerchant`: P2, transactions stand that no till asked for: a replayed ciphertext as magstripe or of a foreign terminal, a typed
 *   card with the counter of a chip; then honest sales are refused as replays.
 */
export const SWITCHES: Switches = { hostileStore: false, hostileMerchant: false, gatewayClockExpiry: true };
