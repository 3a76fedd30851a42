/** Minor units by ISO 4217 currency. */
export type Amounts = Readonly<Record<string, number>>;

/** Limits of sales without the gateway, of one kind. */
export interface OfflineBounds {
  /** Minor units by ISO 4217 currency: most of one sale, and of all unconfirmed ones of one terminal. A currency that is missing is never offline. */
  readonly limits: Readonly<Record<string, { readonly perSaleMinor: number; readonly sumMinor: number }>>;
  /** Unconfirmed sales of one terminal. */
  readonly maxCount: number;
}

/** What a store may do. The gateway enforces it; the agent applies the stricter of it and its own configuration. */
export interface StorePolicy {
  /** Grows with every change; 0 where no policy was set. */
  readonly version: number;
  /** Sales without the gateway; absent: the compiled maxima alone. */
  readonly offline?: OfflineBounds & {
    /** The same of deferred authorizations, which count in both. */
    readonly deferred: OfflineBounds;
    /** Age at which a record is not authorized any more. */
    readonly maxAgeMs: number;
  };
  /** A terminal may refund to a card without the sale that is refunded; absent: it may not. */
  readonly unlinkedRefunds?: boolean;
  /** Most of one payment, refunds among them; a currency that is missing has no ceiling. */
  readonly ceilings?: Amounts;
  /** A tip is at most so much of what is bought, in percent; absent: no tips. */
  readonly maxTipPercent?: number;
  /** Most cash back of one sale; a currency that is missing has none. */
  readonly cashBack?: Amounts;
}
