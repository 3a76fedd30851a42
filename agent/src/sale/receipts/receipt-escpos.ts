import type { PrintedLine } from './receipt-lines.js';

/** The lines are laid out before: the encoder must never break them, and it takes no paper of 40 columns. */
const WIDEST_COLUMNS = 48;

/** Empty lines before the cut, so that the last line is past the blade. */
const FEED_LINES = 4;

/** Lines as commands for a receipt printer (ESC/POS); the printer changes its code page where a letter needs it. */
export async function escPos(lines: readonly PrintedLine[]): Promise<Uint8Array> {
  // Few tills print by it: it is loaded where one does.
  const { default: ReceiptPrinterEncoder } = await import('@point-of-sale/receipt-printer-encoder');
  const encoder = new ReceiptPrinterEncoder({
    columns: WIDEST_COLUMNS,
    language: 'esc-pos',
    feedBeforeCut: FEED_LINES,
  });
  encoder.initialize().codepage('auto');
  for (const { text, bold } of lines) encoder.bold(bold).line(text);
  return encoder.bold(false).cut().encode();
}
