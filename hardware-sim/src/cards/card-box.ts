import type { StateSlot } from '../state/state-slot.js';
import { type CardDefinition, findCard } from './catalogue.js';
import { ChipCard } from './chip/chip-card.js';
import type { Card, VirtualCard } from './core/card.js';
import { type CardState, NEW_CARD } from './core/card-state.js';
import { magstripeTracks } from './track-data.js';

const MUTE_CHIP: Card = {
  reset: async () => undefined,
  transmit: async () => new Uint8Array(),
};

/**
 * The cards themselves. Each terminal that takes a card gets a chip with its own session, so that the same card may be given to
 * two terminals at once; all of one name, and both faces of a chip, share one memory: each transaction has its own ATC.
 */
export class CardBox {
  readonly #slotOf: (name: string) => StateSlot<CardState>;
  readonly #slots = new Map<string, StateSlot<CardState>>();

  constructor(slotOf: (name: string) => StateSlot<CardState>) {
    this.#slotOf = slotOf;
  }

  /** The card of that name; undefined when the catalogue has none. */
  take(name: string): { readonly card: VirtualCard; readonly definition: CardDefinition } | undefined {
    const definition = findCard(name);
    if (definition === undefined) return undefined;
    return { card: this.#make(definition), definition };
  }

  /** What the chip of a card keeps; undefined for a card without a chip, and for none of the catalogue. @throws StateError */
  stateOf(name: string): CardState | undefined {
    const definition = findCard(name);
    if (!hasChip(definition)) return undefined;
    return this.#memoryOf(name).read() ?? { ...NEW_CARD, ...definition?.personalised };
  }

  /** Gives a card its PIN tries back and takes blocks away, as its issuer delivers it; its counters go on. @throws StateError */
  renew(name: string): CardState | undefined {
    const state = this.stateOf(name);
    if (state === undefined) return undefined;
    const { atc, lastOnlineAtc } = state;
    const renewed = { ...NEW_CARD, ...findCard(name)?.personalised, atc, lastOnlineAtc };
    this.#memoryOf(name).write(renewed);
    return renewed;
  }

  #memoryOf(name: string): StateSlot<CardState> {
    const slot = this.#slots.get(name) ?? this.#slotOf(name);
    this.#slots.set(name, slot);
    return slot;
  }

  #make(definition: CardDefinition): VirtualCard {
    const { name, pin, personalised, contact, contactless, muteChip } = definition;
    const memory = this.#memoryOf(name);
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
      ...(definition.magstripe && {
        magstripe: magstripeTracks({ ...definition, pan: definition.account.pan }),
      }),
    };
  }
}

function hasChip(definition: CardDefinition | undefined): boolean {
  return definition?.contact !== undefined || definition?.contactless !== undefined;
}
