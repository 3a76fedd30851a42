import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import {
  MERCHANT_INFO,
  STATUS_INFO,
  TAGS,
  TECHNOLOGY,
} from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { StartOutcome } from '../core/driver.js';
import { failed, STOPPED_BY_TILL } from '../core/result.js';
import { cardData } from './card-data.js';
import { CARD_HANDLING_MS } from './limits.js';
import { fetchPinBlock } from './online-pin.js';
import { type Answer, ask as askDevice, statusFailure } from './replies.js';
import { type Again, type Ask, again, type ReadContext } from './sale-context.js';

const REMOVE_AND_SWIPE = 'REMOVE CARD AND SWIPE IT';

/** What the kernel's three decisions are for the sale. */
export const DECISIONS = {
  online: 'online-required',
  approved: 'approved-offline',
  declined: 'declined-offline',
} as const;

/** The bits of DF42. */
export function statusInfo(objects: readonly TlvNode[]): number {
  const value = findTlv(objects, TAGS.statusInfo);
  return value ? Number.parseInt(Buffer.from(value).toString('hex') || '0', 16) : 0;
}

/** Whether the objects can be those of this sale: a late answer of another tells another amount. */
export function isOurs({ built }: ReadContext, objects: readonly TlvNode[]): boolean {
  const amount = findTlv(objects, '9F02');
  return !amount || built.amount.equals(amount);
}

/** A chip by contacts, up to its first cryptogram. */
export async function readChip(ctx: ReadContext, ask: Ask): Promise<StartOutcome | Again> {
  const { client, built, hooks } = ctx;
  hooks.progress({ step: 'reading-card' });
  const activated = await askDevice(client, 'cardActivate');
  if (activated.kind === 'failed') return activated;
  if (activated.hint !== 'ok') return fellBack(ctx, ask, 'cardActivate', activated);
  const started = await askDevice(client, 'ctStart', { data: built.contact, timeoutMs: CARD_HANDLING_MS });
  if (started.kind === 'failed') return started;
  if (started.hint !== 'ok') return fellBack(ctx, ask, 'ctStart', started);
  const limited = await askDevice(client, 'ctUpdateTags', { data: built.limits });
  if (limited.kind === 'failed') return limited;
  if (limited.hint !== 'ok') return statusFailure('ctUpdateTags', limited);
  if (hooks.stopped()) return STOPPED_BY_TILL;
  const decided = await askDevice(client, 'ctOffline', {
    data: built.offline,
    timeoutMs: CARD_HANDLING_MS,
    onRequest: (objects) => told(ctx, objects),
  });
  return decided.kind === 'failed' ? decided : chipDecision(ctx, ask, decided);
}

/** Progress of the kernel. A till that stopped the sale before the PIN was asked for stops it now. */
function told({ client, hooks }: ReadContext, objects: readonly TlvNode[]): void {
  if (findTlv(objects, TAGS.merchantInfoCode)?.[0] !== MERCHANT_INFO.pinInput) return;
  hooks.progress({ step: 'pin-entry' });
  if (hooks.stopped()) client.abort();
}

async function chipDecision(ctx: ReadContext, ask: Ask, decided: Answer): Promise<StartOutcome | Again> {
  const { hint, objects } = decided;
  const stopped = ctx.hooks.stopped();
  if (hint === 'pin-ended' || hint === 'aborted') {
    // One word for cancel key, time and abort.
    if (stopped) return STOPPED_BY_TILL;
    return hint === 'aborted' ? statusFailure('ctOffline', decided) : { kind: 'cancelled', by: 'cardholder' };
  }
  if (hint === 'transaction-ended' && (statusInfo(objects) & STATUS_INFO.cardWithdrawn) !== 0)
    return failed('card-removed', 'CT CONTINUE OFFLINE: the card was pulled out');
  if (hint !== 'online' && hint !== 'approved' && hint !== 'declined')
    return fellBack(ctx, ask, 'ctOffline', decided);
  if (!isOurs(ctx, objects)) return failed('protocol-error', 'the answer belongs to another sale');
  const wantsPin = hint === 'online' && (statusInfo(objects) & STATUS_INFO.onlinePin) !== 0;
  const pin = wantsPin ? await fetchPinBlock(ctx.client) : undefined;
  if (pin && 'kind' in pin) return pin;
  const card = await cardData(ctx.client, { entryMode: 'ICC', told: objects, ...(pin && { pin }) });
  if ('kind' in card) return card;
  return stopped && hint === 'online' ? STOPPED_BY_TILL : { kind: DECISIONS[hint], card };
}

/** A chip that could not be read may be swiped; anything else ends the sale. */
function fellBack(
  { hooks }: ReadContext,
  ask: Ask,
  command: 'cardActivate' | 'ctStart' | 'ctOffline',
  answer: Answer,
): StartOutcome | Again {
  if (hooks.stopped()) return STOPPED_BY_TILL;
  if (answer.hint !== 'swipe-allowed') return statusFailure(command, answer);
  return again(ask, { technologies: TECHNOLOGY.stripe, fallback: true, prompt: REMOVE_AND_SWIPE });
}
