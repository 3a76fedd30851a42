import type { CardData, StartOutcome, TerminalDriver } from '@tillbridge/agent/drivers/core/driver.js';
import type { SeededRandom } from '../kernel/seeded-random.js';

/** How many cards a replayedCards has in its memory. */
const REMEMBERED = 8;

/** A manipulated terminal: now and then it repeats the card data of an earlier sale. */
export class ReplayedCards {
  readonly #random: SeededRandom;
  readonly #replayed: (serial: number, original: number) => void;
  #stolen: { readonly card: CardData; readonly serial: number }[] = [];

  /** @param replayed called with the sale that gets repeated card data, and the sale that they come from */
  constructor(random: SeededRandom, replayed: (serial: number, original: number) => void) {
    this.#random = random;
    this.#replayed = replayed;
  }

  /** The driver of one boot, with the replayedCards between it and its card reader. */
  tap(driver: TerminalDriver): TerminalDriver {
    let replaying: CardData | undefined;
    const start: TerminalDriver['start'] = async (request, progress) => {
      const [from] = this.#random.chance(REPLAY_CHANCE) ? this.#stolen : [];
      if (from) {
        replaying = from.card;
        this.#replayed(request.transactionSequenceNumber, from.serial);
        return { kind: 'online-required', card: copyOf(from.card) };
      }
      replaying = undefined;
      const outcome = await driver.start(request, progress);
      this.#remember(outcome, request.transactionSequenceNumber);
      return outcome;
    };
    const complete: TerminalDriver['complete'] = async (result, progress) =>
      replaying ? { kind: 'approved', iccData: replaying.iccData } : driver.complete(result, progress);
    return new Proxy(driver, {
      get(_target, name) {
        if (name === 'start') return start;
        if (name === 'complete') return complete;
        const value: unknown = Reflect.get(driver, name, driver);
        return typeof value === 'function' ? value.bind(driver) : value;
      },
    });
  }

  #remember(outcome: StartOutcome, serial: number): void {
    if (outcome.kind !== 'online-required' || outcome.card.iccData.length === 0) return;
    this.#stolen = [{ card: copyOf(outcome.card), serial }, ...this.#stolen].slice(0, REMEMBERED);
  }
}

/** Of all sales of a terminal that has a replayedCards. */
const REPLAY_CHANCE = 0.3;

/** The PIN block is not worth stealing: it is under a separate key. */
function copyOf({ facts, iccData, sred }: CardData): CardData {
  return {
    facts,
    iccData: Uint8Array.from(iccData),
    ...(sred && { sred: { data: Uint8Array.from(sred.data), ksn: Uint8Array.from(sred.ksn) } }),
  };
}
