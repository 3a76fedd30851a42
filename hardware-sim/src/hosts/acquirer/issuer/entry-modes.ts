import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';

/** Whether a chip must have given a cryptogram. */
export function isChip({ entryMode }: Pick<ExchangeMessage, 'entryMode'>): boolean {
  return entryMode === 'chip' || entryMode === 'contactless-chip';
}
