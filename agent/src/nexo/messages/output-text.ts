import { encodePairs } from './pairs.js';

/** One line of a receipt. */
export interface ReceiptLine {
  /** The content of the line, in the words that tills of this family look for: `pan`, `totalAmount`, `filler` for a blank one. */
  readonly key: string;
  readonly name?: string;
  readonly value?: string;
  readonly bold?: boolean;
}

/** What a till prints or shows (nexo Retailer 3.0, OutputContent). */
export interface OutputContent {
  readonly OutputFormat: 'Text';
  readonly OutputText: readonly {
    readonly Text: string;
    readonly CharacterStyle: 'Normal' | 'Bold';
    readonly EndOfLineFlag: true;
  }[];
}

/** The lines of a receipt: each text is `key`, `name` and `value` as percent-encoded pairs. */
export function receiptContent(lines: readonly ReceiptLine[]): OutputContent {
  return {
    OutputFormat: 'Text',
    OutputText: lines.map(({ key, name, value, bold = false }) => ({
      Text: encodePairs({ key, name, value }),
      CharacterStyle: bold ? 'Bold' : 'Normal',
      EndOfLineFlag: true,
    })),
  };
}
