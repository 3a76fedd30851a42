import type { ReceiptDocument, ReceiptLine } from './compose-receipt.js';

/** Characters in a line of paper: 58 mm, 80 mm by wide and by narrow letters. */
export const RECEIPT_COLUMNS = [32, 40, 48] as const;

/** One of {@link RECEIPT_COLUMNS}. */
export type ReceiptColumns = (typeof RECEIPT_COLUMNS)[number];

/** A line as it is printed. */
export interface PrintedLine {
  readonly text: string;
  readonly bold: boolean;
}

/** A receipt as lines of at most `columns` characters. */
export function receiptLines({ groups }: ReceiptDocument, columns: ReceiptColumns): readonly PrintedLine[] {
  return groups.flatMap((lines, at) => {
    const printed = lines.flatMap((line) => layOut(line, columns));
    return at === 0 ? printed : [{ text: '', bold: false }, ...printed];
  });
}

/** A receipt as text of at most `columns` characters a line. */
export function receiptText(receipt: ReceiptDocument, columns: ReceiptColumns): string {
  return receiptLines(receipt, columns)
    .map(({ text }) => text)
    .join('\n');
}

function layOut(line: ReceiptLine, columns: number): PrintedLine[] {
  switch (line.kind) {
    case 'heading':
    case 'verdict':
      return center(line.text, columns).map((text) => ({ text, bold: true }));
    case 'center':
      return plain(center(line.text, columns));
    case 'pair':
      return plain(pair(printable(line.name), printable(line.value), columns));
    case 'paragraph':
      return plain(['', ...wrap(printable(line.text), columns)]);
    case 'signature':
      return plain(['', printable(line.name), '', '_'.repeat(columns)]);
  }
}

function plain(texts: readonly string[]): PrintedLine[] {
  return texts.map((text) => ({ text, bold: false }));
}

/** A text without characters that would be a command to a printer: some of it comes from cards. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}

/** Name on the left, value on the right; a long value has separate lines. */
function pair(name: string, value: string, columns: number): string[] {
  const gap = columns - [...name].length - [...value].length;
  if (gap >= 1) return [`${name}${' '.repeat(gap)}${value}`];
  return [...wrap(name, columns), ...chop(value, columns - 2).map((piece) => `  ${piece}`)];
}

function center(text: string, columns: number): string[] {
  return wrap(printable(text), columns).map(
    (line) => `${' '.repeat(Math.floor((columns - [...line].length) / 2))}${line}`,
  );
}

/** Lines that end between words where they can. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => chop(each, columns))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if ([...longer].length <= columns) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function chop(text: string, length: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += length)
    pieces.push(characters.slice(at, at + length).join(''));
  return pieces;
}
