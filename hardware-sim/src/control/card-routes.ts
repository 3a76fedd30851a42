import { maskPan } from '@tillbridge/protocol/mask/mask.js';
import type { FastifyInstance } from 'fastify';
import { type CardDefinition, cardCatalogue } from '../cards/catalogue.js';

/** A card as `GET /cards` shows it. */
interface CardView {
  readonly name: string;
  readonly description: string;
  readonly brand: string;
  readonly maskedPan: string;
  /** `YYMM`. */
  readonly expiry: string;
  /** The ways it can be given, the usual one first. */
  readonly how: readonly string[];
  /** What the cardholder would enter; a published test PIN. */
  readonly pin?: string;
}

function view(card: CardDefinition): CardView {
  const { name, description, account, expiry, usual, pin } = card;
  const ways = [
    ...(card.contact || card.muteChip ? ['insert'] : []),
    ...(card.contactless ? ['tap'] : []),
    ...(card.magstripe ? ['swipe'] : []),
    'manual',
  ];
  const how = [usual, ...ways.filter((way) => way !== usual)];
  const shown = { name, description, brand: account.brand, maskedPan: maskPan(account.pan), expiry, how };
  return pin === undefined ? shown : { ...shown, pin };
}

/** `GET /cards`. */
export function cardRoutes(app: FastifyInstance): void {
  app.get('/cards', () => cardCatalogue().map(view));
}
