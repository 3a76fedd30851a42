import { TECHNOLOGY } from '@tillbridge/protocol/terminals/verifone/tags.js';
import { askUntilDecided, firstAsk, nextAsk, swipedAs } from '../core/card-attempts.js';
import type { DeviceOutcome, EntryMode } from '../core/driver.js';
import { failed, hasEnded } from '../core/result.js';
import { openAccount } from './card-data.js';
import { detectCard } from './detect-card.js';
import type { SaleContext } from './sale-context.js';
import { transactionRequest } from './transaction-request.js';

/**
 * A card that is given and asked for nothing (CARD DETECTION): of a magnetic stripe and a number keyed in the account is told, obfuscated;
 * of a chip that it is there. Taps are read for a transaction alone.
 */
export async function readCardOutsideSale(ctx: SaleContext): Promise<DeviceOutcome> {
  const reading = { ...ctx, built: transactionRequest(ctx) };
  const end = await askUntilDecided(ctx.hooks, firstAsk(false), async (ask) => {
    const given = await detectCard(reading, ask);
    if (given.kind !== 'given') return given;
    const { technology, objects } = given;
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
