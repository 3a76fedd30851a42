import {
  askUntilDecided,
  type CardAsk,
  type CardNext,
  firstAsk,
  nextAsk,
  requiresPin,
} from '../core/card-attempts.js';
import { DECISIONS, type Decision, withCard } from '../core/card-data.js';
import type { CardData, DeviceOutcome, Enciphered, StartOutcome } from '../core/driver.js';
import { failed, hasEnded, isFailed, STOPPED_BY_TILL } from '../core/result.js';
import { captureMagstripePin, encipherCard } from './card-data.js';
import { type ChipDecision, goOnChip } from './go-on-chip.js';
import { type ReadCard, readCard } from './read-card.js';
import { answerOf, cardholderEnd } from './replies.js';
import type { SaleContext } from './transaction-request.js';

const EMPTY = Buffer.alloc(0);

const OUTCOMES: Readonly<Record<ChipDecision['decision'], Decision>> = {
  online: DECISIONS.online,
  'approved-offline': DECISIONS.approved,
  declined: DECISIONS.declined,
};

function cardOf(
  card: ReadCard,
  iccData: Uint8Array,
  sred: Enciphered,
  pin: Enciphered | undefined,
): CardData {
  return { facts: card.facts, iccData, sred, ...(pin && { pin }) };
}

/** A magnetic stripe, swiped or played by a tap: PIN when its service code requires one, then the enciphered track. */
async function runMagstripe(ctx: SaleContext, card: ReadCard): Promise<StartOutcome> {
  let pin: Enciphered | undefined;
  if (card.type === 'magstripe' && requiresPin(card.serviceCode)) {
    const captured = await captureMagstripePin(ctx);
    if (hasEnded(captured)) return captured;
    pin = captured.pin;
  }
  const sred = await encipherCard(ctx, card.hasTrack2);
  if (isFailed(sred)) return sred;
  return withCard('online-required', cardOf(card, EMPTY, sred, pin), ctx.hooks.stopped());
}

async function runChip(ctx: SaleContext, card: ReadCard, ask: CardAsk): Promise<StartOutcome | CardNext> {
  const sred = await encipherCard(ctx, card.hasTrack2);
  if (isFailed(sred)) return sred;
  if (ctx.hooks.stopped()) return STOPPED_BY_TILL;
  const end = await goOnChip(ctx, card);
  if (end.kind === 'fallback') {
    const next = nextAsk(ask, 'chip-unreadable', ctx.config.magstripeFallback);
    return next.kind === 'again' ? next : cardholderEnd('GOX', end.status);
  }
  if (end.kind !== 'decision') return end;
  if (ctx.hooks.stopped()) return STOPPED_BY_TILL;
  return { kind: OUTCOMES[end.decision], card: cardOf(card, end.iccData, sred, end.pin) };
}

/** Reads a card without a transaction: OPN, then GCX until a card is read. */
export async function readCardOutsideSale(ctx: SaleContext): Promise<DeviceOutcome> {
  const { link, config, device, hooks } = ctx;
  const opened = answerOf('OPN', await link.blocks('OPN', []));
  if (isFailed(opened)) return opened;
  const first = firstAsk(config.contactless && device.contactless);
  const end = await askUntilDecided(hooks, first, (ask) => readCard(ctx, ask));
  return end.kind === 'card' && 'facts' in end ? { kind: 'card', facts: end.facts } : ended(end);
}

/** A reading that ended without a card. */
function ended(end: object): DeviceOutcome {
  return hasEnded(end) ? end : failed('internal', 'a card that was only read has decided');
}

/** A card up to its first cryptogram: OPN, GCX until a card is read, GPN or GTK, GOX (ABECS 2.12 §3.7.5). */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  const { link, config, device, hooks } = ctx;
  if (device.keys.data !== 'loaded') {
    return failed(
      'key-missing',
      `no DUKPT data key in slot ${config.dataKeyIndex}: card data could not be enciphered`,
    );
  }
  const opened = answerOf('OPN', await link.blocks('OPN', []));
  if (isFailed(opened)) return opened;
  return askUntilDecided(hooks, firstAsk(config.contactless && device.contactless), async (ask) => {
    const card = await readCard(ctx, ask);
    if (card.kind !== 'card') return card;
    hooks.progress({ step: 'reading-card' });
    const chip = card.type === 'contact' || card.type === 'contactless';
    return chip ? runChip(ctx, card, ask) : runMagstripe(ctx, card);
  });
}
