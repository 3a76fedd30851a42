import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { type CardAsk, type CardNext, nextAsk, requiresPin, swipedAs } from '../core/card-attempts.js';
import { type Decision, withCard } from '../core/card-data.js';
import type { StartOutcome } from '../core/driver.js';
import { hasEnded } from '../core/result.js';
import { fetchCard, type GivenCard, openAccount } from './card-data.js';
import { askOnlinePin } from './online-pin.js';
import type { ReadContext } from './sale-context.js';

/** A magnetic stripe that was swiped: that of a chip card counts only where the chip could not be read. */
export async function readMagstripe(
  ctx: ReadContext,
  ask: CardAsk,
  detected: readonly TlvNode[],
): Promise<StartOutcome | CardNext> {
  ctx.hooks.progress({ step: 'reading-card' });
  const { bin, serviceCode } = openAccount(detected);
  if (bin === undefined) return nextAsk(ask, 'magstripe-unreadable');
  const entryMode = swipedAs(serviceCode, ask.fallback);
  if (!entryMode) return nextAsk(ask, 'chip-first');
  return withOnlinePin(ctx, 'online-required', { entryMode, detected }, requiresPin(serviceCode));
}

/** A card number that was keyed in. */
export function readKeyedIn(ctx: ReadContext, detected: readonly TlvNode[]): Promise<StartOutcome> {
  ctx.hooks.progress({ step: 'reading-card' });
  return withOnlinePin(ctx, 'online-required', { entryMode: 'MANUAL', detected }, false);
}

/** Fetches a card after its online PIN, where it wants one. */
export async function withOnlinePin(
  { link, built, hooks }: ReadContext,
  kind: Decision,
  card: Omit<GivenCard, 'pin'>,
  wantsPin: boolean,
): Promise<StartOutcome> {
  if (wantsPin) hooks.progress({ step: 'pin-entry' });
  const entry = wantsPin ? await askOnlinePin(link, built.display, hooks.stopped) : undefined;
  if (entry && hasEnded(entry)) return entry;
  return withCard(kind, await fetchCard(link, { ...card, pin: entry?.pin }), hooks.stopped());
}
