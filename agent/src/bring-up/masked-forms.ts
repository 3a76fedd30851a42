/** A number whose middle is hidden by one sign, with the track that may stand behind it. */
const MASKED = /;?\d{4,6}([*CMX#])\1{3,}\d{4}(?:[=D]\d*(?:\1+\??\1?)?)?/g;

/**
 * The forms of masked account data in a message, characters or packed digits: `;d6*d4=d7*?*` is a track whose number shows its
 * first six and last four digits and whose expiry and service code are open. No digit of the data is in it.
 */
export function maskedForms(content: Buffer): readonly string[] {
  const texts = [content.toString('latin1'), content.toString('hex').toUpperCase()];
  return texts.flatMap((text) => [...text.matchAll(MASKED)].map(([found]) => formOf(found)));
}

function formOf(text: string): string {
  return text.replace(/\d+/g, (digits) => `d${digits.length}`).replace(/([*CMX#])\1+/g, '$1');
}
