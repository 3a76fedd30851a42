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
  /** In which the merchant sells where nothing else is said; ISO 4217 alpha-3. */
  readonly currency?: string;
}

/** A store of which nothing is configured. */
export const DEFAULT_STORE: StoreConfig = { address: [], timeZone: 'UTC', language: 'en' };

const MAX_ADDRESS_LINES = 4;

/** The lines of an address. */
export function addressLines(text = ''): readonly string[] {
  return text
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Whether the text is an address that fits on a receipt. */
export function isAddress(text: string): boolean {
  const lines = addressLines(text);
  return lines.length <= MAX_ADDRESS_LINES && lines.every((line) => /^[^\p{C}]{1,40}$/u.test(line));
}

/** Whether the text names a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
