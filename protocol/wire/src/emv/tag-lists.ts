/**
 * Objects of a chip that go with its first cryptogram, none of which holds the account: what the issuer verifies, what the
 * terminal found (EMV Book 3 §6.5.5, Book 4 §12), the application, and the payment account reference.
 */
export const CRYPTOGRAM_TAGS = [
  ...['82', '84', '95', '9A', '9B', '9C', '5F2A', '5F34', '9F02', '9F03', '9F06', '9F07', '9F09', '9F10'],
  ...['9F1A', '9F1E', '9F21', '9F24', '9F26', '9F27', '9F33', '9F34', '9F35', '9F36', '9F37', '9F41', '9F53'],
  ...['8A', '50'],
] as const;

/** What a host requests with the first cryptogram, for `pos.iccDataRequest`. */
export const REQUEST_TAGS = [...CRYPTOGRAM_TAGS, '9F6C'] as const;

/** What a host may know of the card in addition: application, label, payment account reference. */
export const CARD_TAGS = ['4F', '84', '50', '9F12', '9F24'] as const;

/** Objects that go with the second cryptogram. */
export const FINAL_CRYPTOGRAM_TAGS = [
  ...['9F26', '9F27', '9F36', '9F10', '9F37', '95', '9B', '8A', '9F34'],
] as const;

/** What a host requests with the second cryptogram: its objects and the results of issuer scripts. */
export const FINAL_TAGS = [...FINAL_CRYPTOGRAM_TAGS, '9F5B'] as const;

/** Tags of the issuer's answer that a card takes: authentication data and scripts (EMV Book 3 §10.9, §10.10). */
export const ISSUER_TAGS = ['91', '71', '72'] as const;
