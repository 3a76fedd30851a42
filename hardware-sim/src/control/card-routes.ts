import { maskPan } from '@tillbridge/wire/mask/mask.js';
import type { FastifyInstance } from 'fastify';
import { type CardDefinition, cardCatalogue, findCard } from '../cards/catalogue.js';
import { ControlError } from '../errors/control-error.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';

/** A card as `GET /cards` shows it. */
export interface CardView {
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

/** `GET /cards`, and what the chip of one keeps. */
export function cardRoutes(
  app: FastifyInstance,
  { box, events }: Pick<SimulatedTerminals, 'box' | 'events'>,
): void {
  app.get('/cards', () => cardCatalogue().map(view));
  app.get<ByName>('/cards/:name', ({ params: { name } }) => {
    const definition = known(name);
    const state = box.stateOf(name);
    return { ...view(definition), ...(state && { state }) };
  });
  app.post<ByName>('/cards/:name/renew', ({ params: { name } }) => {
    const definition = known(name);
    const state = box.renew(name);
    events.tell('changed', { list: 'cards' });
    return { ...view(definition), ...(state && { state }) };
  });
}

interface ByName {
  readonly Params: { readonly name: string };
}

function known(name: string): CardDefinition {
  const definition = findCard(name);
  if (!definition) throw new ControlError('unknown-card', 'there is no card of that name');
  return definition;
}
