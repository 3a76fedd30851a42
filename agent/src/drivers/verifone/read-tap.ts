import { STATUS_INFO, TECHNOLOGY } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { EntryMode, StartOutcome } from '../core/driver.js';
import { failed, STOPPED_BY_TILL } from '../core/result.js';
import { cardData } from './card-data.js';
import { CARD_HANDLING_MS } from './limits.js';
import { askOnlinePin } from './online-pin.js';
import { DECISIONS, isOurs, statusInfo } from './read-chip.js';
import { type Answer, ask as askDevice, statusFailure } from './replies.js';
import { type Again, type Ask, again, type ReadContext } from './sale-context.js';

const INSERT_OR_SWIPE = 'INSERT OR SWIPE CARD';
const ONE_CARD = 'PRESENT ONE CARD ONLY';

/** A card or a telephone at the antenna: what it decided has happened when it was found. */
export async function readTap(ctx: ReadContext, ask: Ask): Promise<StartOutcome | Again> {
  ctx.hooks.progress({ step: 'reading-card' });
  const decided = await askDevice(ctx.client, 'ctlsOffline', { timeoutMs: CARD_HANDLING_MS });
  if (decided.kind === 'failed') return decided;
  switch (decided.hint) {
    case 'online':
    case 'approved':
    case 'declined':
      return tapDecision(ctx, decided, decided.hint);
    case 'tap-again':
      return again(ask, { prompt: ONE_CARD });
    case 'other-interface':
    case 'no-application':
    case 'no-contactless':
    case 'swipe-allowed':
      return again(ask, { technologies: ask.technologies & ~TECHNOLOGY.tap, prompt: INSERT_OR_SWIPE });
    default:
      return statusFailure('ctlsOffline', decided);
  }
}

async function tapDecision(
  ctx: ReadContext,
  { objects }: Answer,
  hint: 'online' | 'approved' | 'declined',
): Promise<StartOutcome> {
  if (!isOurs(ctx, objects)) return failed('protocol-error', 'the answer belongs to another sale');
  const info = statusInfo(objects);
  const entryMode: EntryMode = (info & STATUS_INFO.tapStripe) !== 0 ? 'NFC_MAGSTRIPE' : 'NFC_ICC';
  const wantsPin = hint === 'online' && (info & STATUS_INFO.onlinePin) !== 0;
  if (wantsPin) ctx.hooks.progress({ step: 'pin-entry' });
  const entry = wantsPin
    ? await askOnlinePin(ctx.client, ctx.built.display, () => ctx.hooks.stopped())
    : undefined;
  if (entry && entry.kind !== 'pin') return entry;
  const pin = entry?.pin;
  const card = await cardData(ctx.client, { entryMode, told: objects, ...(pin && { pin }) });
  if ('kind' in card) return card;
  return ctx.hooks.stopped() && hint === 'online' ? STOPPED_BY_TILL : { kind: DECISIONS[hint], card };
}
