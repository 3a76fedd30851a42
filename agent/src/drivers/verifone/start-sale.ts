import { TECHNOLOGY } from '@tillbridge/protocol/terminals/verifone/tags.js';
import { type CardAsk, type CardNext, firstAsk, TOO_MANY_ATTEMPTS } from '../core/card-attempts.js';
import type { StartOutcome } from '../core/driver.js';
import { isFailed, type Result } from '../core/result.js';
import { detectCard, type Given } from './detect-card.js';
import { readChip } from './read-chip.js';
import { readKeyedIn, readMagstripe } from './read-magstripe.js';
import { readTap } from './read-tap.js';
import { ask as askDevice, statusFailure } from './replies.js';
import type { ReadContext, SaleContext } from './sale-context.js';
import { transactionRequest } from './transaction-request.js';

const { chip, magstripe, tap } = TECHNOLOGY;

/** A card up to its first cryptogram. */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  const built = transactionRequest(ctx.request);
  if (isFailed(built)) return built;
  const contactless = await initialise(ctx);
  if (isFailed(contactless)) return contactless;
  const untilMs = ctx.clock.monotonicMs() + ctx.request.cardTimeoutMs;
  const reading: ReadContext = { ...ctx, built };
  let ask = firstAsk(contactless);
  for (;;) {
    const leftMs = Math.max(1, untilMs - ctx.clock.monotonicMs());
    const end = await readCard(reading, ask, await detectCard(reading, ask, leftMs));
    if (end.kind === 'give-up') return TOO_MANY_ATTEMPTS;
    if (end.kind !== 'again') return end;
    ask = end.ask;
  }
}

/** The kernels of contacts and antenna, as each sale begins. @returns whether there is an antenna */
async function initialise({ link }: SaleContext): Promise<Result<boolean>> {
  const contact = await askDevice(link, 'ctInit');
  if (isFailed(contact)) return contact;
  if (contact.hint !== 'ok') return statusFailure('ctInit', contact);
  const contactless = await askDevice(link, 'ctlsInit');
  if (isFailed(contactless)) return contactless;
  if (contactless.hint === 'no-contactless') return false;
  return contactless.hint === 'ok' ? true : statusFailure('ctlsInit', contactless);
}

async function readCard(ctx: ReadContext, ask: CardAsk, given: Given): Promise<StartOutcome | CardNext> {
  if (given.kind !== 'given') return given;
  switch (given.technology) {
    case chip:
      return readChip(ctx, ask);
    case tap:
      return readTap(ctx, ask);
    case magstripe:
      return readMagstripe(ctx, ask, given.objects);
    default:
      return readKeyedIn(ctx, given.objects);
  }
}
