/** How a message is framed on a line: a length of two bytes, or of four digits, and a header that terminals' networks route by. */
export interface LineForm {
  /** `binary` and `bcd` take two bytes, `ascii` four digits. */
  readonly length: 'binary' | 'bcd' | 'ascii';
  /** Whether the length counts its own bytes too. */
  readonly countsItself: boolean;
  /** Ten digits in front of each message: identifier, destination, source; empty: none. */
  readonly tpdu: string;
}

/** A length of two bytes, the highest first, and nothing else. */
export const LINE_FORM: LineForm = { length: 'binary', countsItself: false, tpdu: '' };

/** The form of the other side: destination and source of its header change places. */
export function turnedForm({ tpdu, ...form }: LineForm): LineForm {
  return { ...form, tpdu: `${tpdu.slice(0, 2)}${tpdu.slice(6)}${tpdu.slice(2, 6)}` };
}
