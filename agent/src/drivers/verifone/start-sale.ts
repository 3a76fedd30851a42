import { TECHNOLOGY } from '@tillbridge/wire/terminals/verifone/tags.js';
import { askUntilDecided, type CardAsk, type CardNext, firstAsk } from '../core/card-attempts.js';
import type { StartOutcome } from '../core/driver.js';
import { isFailed, type Result } from '../core/result.js';
import { detectCard, type Given, hasAntenna } from './detect-card.js';
import { readChip } from './read-chip.js';
import { readKeyedIn, readMagstripe } from './read-magstripe.js';
import { readTap } from './read-tap.js';
import { mustAsk } from './replies.js';
import type { ReadContext, SaleContext } from './sale-context.js';
import { transactionRequest } from './transaction-request.js';

const { chip, magstripe, tap } = TECHNOLOGY;

/** A card up to its first cryptogram. */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  const contactless = await initialise(ctx);
  if (isFailed(contactless)) return contactless;
  const reading: ReadContext = { ...ctx, built: transactionRequest(ctx) };
  return askUntilDecided(ctx.hooks, firstAsk(contactless), async (ask) =>
    readCard(reading, ask, await detectCard(reading, ask)),
  );
}

/** The kernels of contacts and antenna, as each sale begins. @returns whether there is an antenna */
async function initialise({ link }: SaleContext): Promise<Result<boolean>> {
  const contact = await mustAsk(link, 'ctInit');
  return isFailed(contact) ? contact : hasAntenna(link, 'ctlsInit');
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
