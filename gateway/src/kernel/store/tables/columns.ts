import { column } from '@tillbridge/platform/sqlite/table.js';

/** 1 when inserted, one more with every update. */
export const version = column.integer();
/** Milliseconds since 1970. */
export const createdAtMs = column.integer();
/** What most rows end with. */
export const stamp = { createdAtMs, version };

/** Of a row that workers claim (workers/claim-loop.ts). */
export const claimed = {
  /** When work on it is due; while it is claimed, when the lease ends. Null: there is none. */
  dueAtMs: column.optional(column.integer()),
  /** Who has claimed it. */
  leasedBy: column.optional(column.text()),
  /** Claims since work on it last came to an end. */
  claims: column.integer('>= 0'),
};

/** Something sealed, and the data key that seals it. */
export const sealed = { sealed: column.text(), keyId: column.idOf('dataKeys') };
/** The same of what is deleted once it is needed no more: both are null then. */
export const sealedForNow = {
  sealed: column.optional(sealed.sealed),
  keyId: column.optional(sealed.keyId),
};

/** What may be kept of a card in clear (PCI DSS 3.4.1); the bin has six digits. */
export const shownCard = column.optionalTexts(
  'brand',
  'bin',
  'last4Digits',
  'holder',
  'expiryMonth',
  'expiryYear',
);
