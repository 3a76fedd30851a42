import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { MERCHANT_INFO, STATUS_INFO, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { type CardAsk, type CardNext, nextAsk } from '../core/card-attempts.js';
import { DECISIONS, withCard } from '../core/card-data.js';
import type { StartOutcome } from '../core/driver.js';
import { cancelled, failed, isFailed, STOPPED_BY_TILL } from '../core/result.js';
import { isOfSale, OTHER_SALE } from '../core/transaction-values.js';
import { fetchCard } from './card-data.js';
import { CARD_HANDLING_MS } from './limits.js';
import { fetchPinBlock } from './online-pin.js';
import { type Answer, ask as askDevice, mustAsk, statusFailure } from './replies.js';
import type { ReadContext } from './sale-context.js';

/** The bits of DF42. */
export function statusInfo(objects: readonly TlvNode[]): number {
  const value = findTlv(objects, TAGS.statusInfo);
  return value ? Number.parseInt(Buffer.from(value).toString('hex') || '0', 16) : 0;
}

/** A chip by contacts, up to its first cryptogram. */
export async function readChip(ctx: ReadContext, ask: CardAsk): Promise<StartOutcome | CardNext> {
  const { link, built, hooks } = ctx;
  hooks.progress({ step: 'reading-card' });
  const start = { data: built.contact, timeoutMs: CARD_HANDLING_MS };
  for (const [command, exchange] of [['cardActivate'], ['ctStart', start]] as const) {
    const answer = await askDevice(link, command, exchange);
    if (isFailed(answer)) return answer;
    if (answer.hint !== 'ok') return fellBack(ctx, ask, command, answer);
  }
  const limited = await mustAsk(link, 'ctUpdateTags', { data: built.limits });
  if (isFailed(limited)) return limited;
  if (hooks.stopped()) return STOPPED_BY_TILL;
  const decided = await askDevice(link, 'ctOffline', {
    data: built.offline,
    timeoutMs: CARD_HANDLING_MS,
    onRequest: (objects) => onProgress(ctx, objects),
  });
  return isFailed(decided) ? decided : chipDecision(ctx, ask, decided);
}

/** Progress of the kernel. A sale that the till cancelled before the PIN entry stops now. */
function onProgress({ link, hooks }: ReadContext, objects: readonly TlvNode[]): void {
  if (findTlv(objects, TAGS.merchantInfoCode)?.[0] !== MERCHANT_INFO.pinInput) return;
  hooks.progress({ step: 'pin-entry' });
  if (hooks.stopped()) link.abort();
}

async function chipDecision(
  ctx: ReadContext,
  ask: CardAsk,
  decided: Answer,
): Promise<StartOutcome | CardNext> {
  const { hint, objects } = decided;
  const stopped = ctx.hooks.stopped();
  if (hint === 'pin-ended' || hint === 'aborted') {
    // One status for cancel key, timeout and abort.
    if (stopped) return STOPPED_BY_TILL;
    return hint === 'aborted' ? statusFailure('ctOffline', decided) : cancelled(false);
  }
  if (hint === 'transaction-ended' && (statusInfo(objects) & STATUS_INFO.cardWithdrawn) !== 0)
    return failed('card-removed', 'CT CONTINUE OFFLINE: the card was pulled out');
  if (hint !== 'online' && hint !== 'approved' && hint !== 'declined')
    return fellBack(ctx, ask, 'ctOffline', decided);
  const { amount } = ctx.values;
  if (!isOfSale({ amount }, objects)) return OTHER_SALE;
  const wantsPin = hint === 'online' && (statusInfo(objects) & STATUS_INFO.onlinePin) !== 0;
  const pin = wantsPin ? await fetchPinBlock(ctx.link) : undefined;
  if (isFailed(pin)) return pin;
  const card = await fetchCard(ctx.link, { entryMode: 'ICC', detected: objects, pin });
  return withCard(DECISIONS[hint], card, stopped);
}

/** A chip that could not be read may be swiped; anything else ends the sale. */
function fellBack(
  { hooks }: ReadContext,
  ask: CardAsk,
  command: 'cardActivate' | 'ctStart' | 'ctOffline',
  answer: Answer,
): StartOutcome | CardNext {
  if (hooks.stopped()) return STOPPED_BY_TILL;
  if (answer.hint !== 'swipe-allowed') return statusFailure(command, answer);
  return nextAsk(ask, 'chip-unreadable');
}
