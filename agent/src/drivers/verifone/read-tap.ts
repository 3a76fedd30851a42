import { STATUS_INFO } from '@tillbridge/wire/terminals/verifone/tags.js';
import { type CardAsk, type CardNext, nextAsk } from '../core/card-attempts.js';
import { DECISIONS } from '../core/card-data.js';
import type { EntryMode, StartOutcome } from '../core/driver.js';
import { isFailed } from '../core/result.js';
import { isOfSale, OTHER_SALE } from '../core/transaction-values.js';
import { CARD_HANDLING_MS } from './limits.js';
import { statusInfo } from './read-chip.js';
import { withOnlinePin } from './read-magstripe.js';
import { type Answer, ask as askDevice, statusFailure } from './replies.js';
import type { ReadContext } from './sale-context.js';

/** A card or a telephone at the antenna: what it decided has happened when it was found. */
export async function readTap(ctx: ReadContext, ask: CardAsk): Promise<StartOutcome | CardNext> {
  ctx.hooks.progress({ step: 'reading-card' });
  const decided = await askDevice(ctx.link, 'ctlsOffline', { timeoutMs: CARD_HANDLING_MS });
  if (isFailed(decided)) return decided;
  switch (decided.hint) {
    case 'online':
    case 'approved':
    case 'declined':
      return tapDecision(ctx, decided, decided.hint);
    case 'tap-again':
      return nextAsk(ask, 'several-cards');
    case 'other-interface':
    case 'no-application':
    case 'no-contactless':
    case 'swipe-allowed':
      return nextAsk(ask, 'tap-refused');
    default:
      return statusFailure('ctlsOffline', decided);
  }
}

async function tapDecision(
  ctx: ReadContext,
  { objects }: Answer,
  hint: 'online' | 'approved' | 'declined',
): Promise<StartOutcome> {
  const { amount } = ctx.values;
  if (!isOfSale({ amount }, objects)) return OTHER_SALE;
  const info = statusInfo(objects);
  const entryMode: EntryMode = (info & STATUS_INFO.tapMagstripe) !== 0 ? 'NFC_MAGSTRIPE' : 'NFC_ICC';
  const wantsPin = hint === 'online' && (info & STATUS_INFO.onlinePin) !== 0;
  return withOnlinePin(ctx, DECISIONS[hint], { entryMode, detected: objects }, wantsPin);
}
