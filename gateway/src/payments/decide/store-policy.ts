/** What a store may do, as the gateway enforces it and its agents are told. Minor units by ISO 4217 currency. */
export interface StorePolicy {
  /** Counts the changes, from 1; 0 where no policy was set. */
  readonly version: number;
  /** Sales without the gateway; absent: the compiled maxima alone. */
  readonly offline?: {
    /** Most of one sale that the card approved; a currency that is missing is never sold offline. */
    readonly limits: Readonly<Record<string, number>>;
    /** The same of one deferred authorization. */
    readonly deferred: Readonly<Record<string, number>>;
    /** Oldest record that is paid. */
    readonly maxAgeMs: number;
  };
}

/** Where no policy was set: the compiled maxima hold. */
export const NO_POLICY: StorePolicy = { version: 0 };
