import { TECHNOLOGY } from '@tillbridge/wire/terminals/verifone/tags.js';
import { askUntilDecided, firstAsk, nextAsk, swipedAs } from '../core/card-attempts.js';
import type { DeviceOutcome, EntryMode } from '../core/driver.js';
import { failed, hasEnded } from '../core/result.js';
import { openAccount } from './card-data.js';
import { detectCard } from './detect-card.js';
import type { SaleContext } from './sale-context.js';
import { transactionRequest } from './transaction-request.js';

/**
 * Reads a card without a transaction (CARD DETECTION): for a magstripe and a number keyed in the answer has the obfuscated account; for a
 * chip only its presence. Taps are read only for a transaction.
 */
export async function readCardOutsideSale(ctx: SaleContext): Promise<DeviceOutcome> {
  const reading = { ...ctx, built: transactionRequest(ctx) };
  const end = await askUntilDecided(ctx.hooks, firstAsk(false), async (ask) => {
    const detected = await detectCard(reading, ask);
    if (detected.kind !== 'given') return detected;
    const { technology, objects } = detected;
    if (technology === TECHNOLOGY.chip) return card('ICC');
    const { bin, last4Digits, serviceCode } = openAccount(objects);
    if (bin === undefined) return nextAsk(ask, 'magstripe-unreadable');
    const mode = technology === TECHNOLOGY.magstripe ? swipedAs(serviceCode, ask.fallback) : 'MANUAL';
    return mode ? card(mode, { bin, ...(last4Digits && { last4Digits }) }) : nextAsk(ask, 'chip-first');
  });
  if (end.kind === 'card') return end;
  return hasEnded(end) ? end : failed('internal', 'a card that was only read has decided');
}

function card(entryMode: EntryMode, account: { readonly bin?: string; readonly last4Digits?: string } = {}) {
  return { kind: 'card', facts: { entryMode, ...account } } as const;
}
