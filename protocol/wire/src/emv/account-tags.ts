/** How the value of a tag holds account data. */
type AccountValue =
  /** Packed digits of a card number. */
  | 'pan'
  /** Packed digits of track 2: card number, `D`, expiry, service code, and what follows. */
  | 'track2'
  /** A track or a part of it, in characters or packed digits, of which nothing may stay. */
  | 'track-part'
  /** A code that a card makes for one transaction: any bytes. */
  | 'code';

/**
 * Every tag whose value is a card number or comes from a track, and its longest value. The one list for all code that masks, hides or enciphers
 * (EMV Book 3 Annex A, EMV Book C-2 Annex A). The code that a contactless card makes for a track is of no later use either.
 */
export const ACCOUNT_TAGS: ReadonlyMap<string, { readonly value: AccountValue; readonly maxBytes: number }> =
  new Map([
    ['5A', { value: 'pan', maxBytes: 10 }],
    ['57', { value: 'track2', maxBytes: 19 }],
    ['56', { value: 'track-part', maxBytes: 76 }],
    ['9F1F', { value: 'track-part', maxBytes: 76 }],
    ['9F20', { value: 'track-part', maxBytes: 30 }],
    ['9F60', { value: 'code', maxBytes: 2 }],
    ['9F61', { value: 'code', maxBytes: 2 }],
    ['9F6B', { value: 'track-part', maxBytes: 19 }],
    ['DF812A', { value: 'track-part', maxBytes: 56 }],
    ['DF812B', { value: 'track-part', maxBytes: 11 }],
  ]);

/** The same tags as uppercase hex. */
export const ACCOUNT_TAG_NAMES: ReadonlySet<string> = new Set(ACCOUNT_TAGS.keys());
