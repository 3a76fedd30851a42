/** Longest reference without its check digits (ISO 11649). */
const MAX_LENGTH = 21;
const LETTERS_BEGIN = 55;
const MODULUS = 97;

/**
 * A creditor reference, by which a transfer is found again: `RF`, two check digits, then the text (ISO 11649).
 * @param text 1 to 21 digits and letters from A to Z
 */
export function creditorReference(text: string): string {
  if (!/^[0-9A-Z]{1,21}$/.test(text))
    throw new Error(`a creditor reference has 1 to ${MAX_LENGTH} digits and letters`);
  const check = MODULUS + 1 - remainderOf(`${text}RF00`);
  return `RF${String(check).padStart(2, '0')}${text}`;
}

/** Characters of a transfer's reference behind `RF` and its check digits. */
export const TRANSFER_TEXT_LENGTH = 16;

/** The references of transfers in a purpose that a payer wrote, with blanks and lowercase letters or without. Pure. */
export function transferReferencesIn(purpose: string): readonly string[] {
  // Most purposes have none, and are then not looked through.
  if (!/R[\W_]*F/i.test(purpose)) return [];
  const text = purpose.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  return [...text.matchAll(/(?=(RF\d{2}[0-9A-Z]{16}))/g)]
    .map(([, reference = '']) => reference)
    .filter((reference) => creditorReference(reference.slice(4)) === reference);
}

/** The text as a number, a letter as two digits, modulo 97 (ISO 7064). */
function remainderOf(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const isDigit = character >= '0' && character <= '9';
    const value = isDigit ? Number(character) : character.charCodeAt(0) - LETTERS_BEGIN;
    remainder = (remainder * (isDigit ? 10 : 100) + value) % MODULUS;
  }
  return remainder;
}
