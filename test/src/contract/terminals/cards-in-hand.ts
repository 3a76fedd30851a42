import type { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import type { Card, VirtualCard } from '@tillbridge/hardware-sim/cards/core/card.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Signal } from './signal.js';

/** Where a cardholder takes cards from. */
export type CardSource = Pick<CardBox, 'take'>;

/** Cards that take their time for each command, as chips do, and report each command as it comes. */
export function slowCards(
  box: CardBox,
  clock: Clock,
  commandMs: number,
  commands: Signal<Uint8Array>,
): CardSource {
  const slow = (chip: Card): Card => ({
    reset: () => chip.reset(),
    async transmit(command) {
      commands.emit(command);
      if (commandMs > 0) await new Promise<void>((resolve) => clock.setTimer(commandMs, resolve));
      return chip.transmit(command);
    },
  });
  const slowly = ({ contact, contactless, ...rest }: VirtualCard): VirtualCard => ({
    ...rest,
    ...(contact && { contact: slow(contact) }),
    ...(contactless && { contactless: slow(contactless) }),
  });
  return {
    take(name) {
      const taken = box.take(name);
      return taken && { ...taken, card: slowly(taken.card) };
    },
  };
}
