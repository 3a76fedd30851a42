import { TECHNOLOGY } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { StartOutcome } from '../core/driver.js';
import { type Failed, failed } from '../core/result.js';
import { detectCard, type Given } from './detect-card.js';
import { MAX_CARD_ATTEMPTS } from './limits.js';
import { readChip } from './read-chip.js';
import { readKeyedIn, readStripe } from './read-stripe.js';
import { readTap } from './read-tap.js';
import { ask as askDevice, statusFailure } from './replies.js';
import type { Again, Ask, ReadContext, SaleContext } from './sale-context.js';
import { transactionRequest } from './transaction-request.js';

const FIRST_PROMPT = 'INSERT, TAP OR SWIPE CARD';
const { chip, stripe, tap, manual } = TECHNOLOGY;

/** A card up to its first cryptogram. */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  const built = transactionRequest(ctx.request);
  if (built.kind === 'failed') return built;
  const contactless = await initialise(ctx);
  if (typeof contactless !== 'boolean') return contactless;
  const untilMs = ctx.clock.monotonicMs() + ctx.request.cardTimeoutMs;
  const reading: ReadContext = { ...ctx, built };
  let ask: Ask = {
    attempt: 1,
    technologies: chip | stripe | manual | (contactless ? tap : 0),
    fallback: false,
    prompt: FIRST_PROMPT,
  };
  for (;;) {
    const leftMs = Math.max(1, untilMs - ctx.clock.monotonicMs());
    const end = await readCard(reading, ask, await detectCard(reading, ask, leftMs));
    if (end.kind !== 'again') return end;
    if (end.ask.attempt > MAX_CARD_ATTEMPTS)
      return failed('card-error', 'no card could be read in several tries');
    ask = end.ask;
  }
}

/** The kernels of contacts and antenna, as each sale begins. @returns whether there is an antenna */
async function initialise({ client }: SaleContext): Promise<boolean | Failed> {
  const contact = await askDevice(client, 'ctInit');
  if (contact.kind === 'failed') return contact;
  if (contact.hint !== 'ok') return statusFailure('ctInit', contact);
  const contactless = await askDevice(client, 'ctlsInit');
  if (contactless.kind === 'failed') return contactless;
  if (contactless.hint === 'no-contactless') return false;
  return contactless.hint === 'ok' ? true : statusFailure('ctlsInit', contactless);
}

async function readCard(ctx: ReadContext, ask: Ask, given: Given): Promise<StartOutcome | Again> {
  if (given.kind !== 'given') return given;
  switch (given.technology) {
    case chip:
      return readChip(ctx, ask);
    case tap:
      return readTap(ctx, ask);
    case stripe:
      return readStripe(ctx, ask, given.objects);
    default:
      return readKeyedIn(ctx, given.objects);
  }
}
