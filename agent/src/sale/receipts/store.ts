/** Languages of receipts and totals. */
export const LANGUAGES = ['de', 'en', 'es', 'fr', 'it'] as const;

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** The store as receipts and totals show it. */
export interface StoreConfig {
  readonly name?: string;
  /** Lines of its address. */
  readonly address: readonly string[];
  /** IANA name. */
  readonly timeZone: string;
  readonly language: Language;
  /** Merchant identifier (tag 9F16). */
  readonly merchantId?: string;
  /** The merchant's default currency; ISO 4217 alpha-3. */
  readonly currency?: string;
}

/** A store of which nothing is configured. */
export const DEFAULT_STORE: StoreConfig = { address: [], timeZone: 'UTC', language: 'en' };
