import type { CardData, Enciphered, StartOutcome } from '../core/driver.js';
import { failed, STOPPED_BY_TILL } from '../core/result.js';
import { asksForPin } from '../core/service-code.js';
import { afterCardStatus, type CardAsk, firstAsk } from './card-attempts.js';
import { captureStripePin, encipherCard } from './card-data.js';
import { PROMPT_TEXTS } from './display-text.js';
import { type ChipDecision, goOnChip } from './go-on-chip.js';
import { MAX_AMOUNT_MINOR } from './limits.js';
import { type ReadCard, readCard } from './read-card.js';
import { cardholderOutcome, statusFailure } from './replies.js';
import type { SaleContext } from './transaction-request.js';

type Again = { readonly kind: 'again'; readonly ask: CardAsk };

const EMPTY = Buffer.alloc(0);

const OUTCOMES = {
  online: 'online-required',
  'approved-offline': 'approved-offline',
  declined: 'declined-offline',
} as const satisfies Readonly<Record<ChipDecision['decision'], StartOutcome['kind']>>;

function checkRequest(ctx: SaleContext): StartOutcome | undefined {
  const { minor } = ctx.request.amount;
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MAX_AMOUNT_MINOR) {
    return failed('internal', 'the amount must be 0 to 999999999999 minor units');
  }
  if (!ctx.session.hasDataKey) {
    return failed(
      'key-missing',
      `no DUKPT data key in slot ${ctx.config.dataKeyIndex}: card data could not be enciphered`,
    );
  }
  return undefined;
}

function cardData(
  card: ReadCard,
  iccData: Uint8Array,
  sred: Enciphered,
  pin: Enciphered | undefined,
): CardData {
  return { facts: card.facts, iccData, sred, ...(pin && { pin }) };
}

/** A stripe, swiped or played by a tap: PIN when its service code asks for one, then the enciphered track. */
async function runStripe(ctx: SaleContext, card: ReadCard): Promise<StartOutcome> {
  let pin: Enciphered | undefined;
  if (card.type === 'magstripe' && asksForPin(card.serviceCode)) {
    const captured = await captureStripePin(ctx);
    if (captured.kind !== 'pin') return captured;
    pin = captured.pin;
  }
  const sred = await encipherCard(ctx, card.hasTrack2);
  if ('kind' in sred) return sred;
  if (ctx.stopped()) return STOPPED_BY_TILL;
  return { kind: 'online-required', card: cardData(card, EMPTY, sred, pin) };
}

async function runChip(ctx: SaleContext, card: ReadCard): Promise<StartOutcome | Again> {
  const sred = await encipherCard(ctx, card.hasTrack2);
  if ('kind' in sred) return sred;
  if (ctx.stopped()) return STOPPED_BY_TILL;
  const end = await goOnChip(ctx, card);
  if (end.kind === 'fallback') {
    const next = afterCardStatus(card.ask, end.status, ctx.config.magstripeFallback);
    return next.kind === 'ask' ? { kind: 'again', ask: next.ask } : cardholderOutcome('GOX', end.status);
  }
  if (end.kind !== 'decision') return end;
  if (ctx.stopped()) return STOPPED_BY_TILL;
  return { kind: OUTCOMES[end.decision], card: cardData(card, end.iccData, sred, end.pin) };
}

/** A card up to its first cryptogram: OPN, GCX until a card is read, GPN or GTK, GOX (ABECS 2.12 §3.7.5). */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  const refusal = checkRequest(ctx);
  if (refusal) return refusal;
  const opened = await ctx.client.blocks('OPN', []);
  if (opened.kind === 'failed') return opened;
  if (opened.kind === 'status') return statusFailure('OPN', opened.status);
  let ask = firstAsk(ctx.config.contactless && ctx.session.contactless);
  let prompt: string | undefined;
  for (;;) {
    const card = await readCard(ctx, ask, prompt);
    if (card.kind !== 'card') return card;
    ctx.progress({ step: 'reading-card' });
    const chip = card.type === 'contact' || card.type === 'contactless';
    const end = chip ? await runChip(ctx, card) : await runStripe(ctx, card);
    if (end.kind !== 'again') return end;
    ask = end.ask;
    prompt = PROMPT_TEXTS['remove-and-swipe'];
  }
}
