import type { StateSlot } from '../state/state-slot.js';
import type { Card, VirtualCard } from './card.js';
import type { CardState } from './card-state.js';
import { type CardDefinition, findCard } from './catalogue.js';
import { ChipCard } from './chip-card.js';
import { stripeTracks } from './track-data.js';

const MUTE_CHIP: Card = {
  reset: async () => undefined,
  transmit: async () => new Uint8Array(),
};

/**
 * The cards themselves, one of each name however many terminals ask for it: both faces of a chip share one memory,
 * whose state is kept by name.
 */
export class CardBox {
  readonly #slotOf: (name: string) => StateSlot<CardState>;
  readonly #cards = new Map<string, VirtualCard>();

  constructor(slotOf: (name: string) => StateSlot<CardState>) {
    this.#slotOf = slotOf;
  }

  /** The card of that name; undefined when the catalogue has none. */
  take(name: string): { readonly card: VirtualCard; readonly definition: CardDefinition } | undefined {
    const definition = findCard(name);
    if (definition === undefined) return undefined;
    const card = this.#cards.get(name) ?? this.#make(definition);
    this.#cards.set(name, card);
    return { card, definition };
  }

  #make(definition: CardDefinition): VirtualCard {
    const { name, pin, personalised, contact, contactless, muteChip } = definition;
    const memory = this.#slotOf(name);
    const chip = (profile: NonNullable<typeof contact>) =>
      new ChipCard({
        profile,
        memory,
        ...(pin !== undefined && { pin }),
        ...(personalised && { personalised }),
      });
    return {
      name,
      ...(muteChip === true ? { contact: MUTE_CHIP } : contact && { contact: chip(contact) }),
      ...(contactless && { contactless: chip(contactless) }),
      ...(definition.stripe && {
        stripe: stripeTracks({ ...definition, pan: definition.account.pan }),
      }),
    };
  }
}
