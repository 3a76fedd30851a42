import type { TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import { TECHNOLOGY } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { EntryMode, StartOutcome } from '../core/driver.js';
import { STOPPED_BY_TILL } from '../core/result.js';
import { asksForPin, hasChip } from '../core/service-code.js';
import { cardData, openAccount } from './card-data.js';
import { askOnlinePin } from './online-pin.js';
import { type Again, type Ask, again, type ReadContext } from './sale-context.js';

const INSERT_CHIP = 'INSERT THE CHIP';
const NO_ACCOUNT = 'CARD COULD NOT BE READ';

/** A stripe that was swiped: that of a chip card counts only where the chip could not be read. */
export async function readStripe(
  ctx: ReadContext,
  ask: Ask,
  told: readonly TlvNode[],
): Promise<StartOutcome | Again> {
  ctx.hooks.progress({ step: 'reading-card' });
  const { bin, serviceCode } = openAccount(told);
  if (bin === undefined) return again(ask, { prompt: NO_ACCOUNT });
  const chipCard = hasChip(serviceCode);
  if (chipCard && !ask.fallback) return again(ask, { technologies: TECHNOLOGY.chip, prompt: INSERT_CHIP });
  const entryMode: EntryMode = chipCard ? 'MAGSTRIPE_AS_FALLBACK' : 'MAGSTRIPE';
  return accountOnly(ctx, entryMode, told, asksForPin(serviceCode));
}

/** A card number that was keyed in. */
export function readKeyedIn(ctx: ReadContext, told: readonly TlvNode[]): Promise<StartOutcome> {
  ctx.hooks.progress({ step: 'reading-card' });
  return accountOnly(ctx, 'MANUAL', told, false);
}

async function accountOnly(
  { client, built, hooks }: ReadContext,
  entryMode: EntryMode,
  told: readonly TlvNode[],
  wantsPin: boolean,
): Promise<StartOutcome> {
  if (wantsPin) hooks.progress({ step: 'pin-entry' });
  const entry = wantsPin ? await askOnlinePin(client, built.display, () => hooks.stopped()) : undefined;
  if (entry && entry.kind !== 'pin') return entry;
  const pin = entry?.pin;
  const card = await cardData(client, { entryMode, told, ...(pin && { pin }) });
  if ('kind' in card) return card;
  return hooks.stopped() ? STOPPED_BY_TILL : { kind: 'online-required', card };
}
