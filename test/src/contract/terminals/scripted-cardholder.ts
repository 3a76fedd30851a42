import type { PresentMode } from '@tillbridge/hardware-sim/cards/catalogue.js';
import { magstripeTracks } from '@tillbridge/hardware-sim/cards/track-data.js';
import type { TerminalUi, UiWant } from '@tillbridge/hardware-sim/terminals/core/terminal-ui.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { CardSource } from './cards-in-hand.js';

/** What a cardholder does when a card is wanted. */
interface CardAct {
  readonly card: string;
  /** The card's usual way unless given. */
  readonly how?: PresentMode;
  /** A second card is in the field. */
  readonly second?: boolean;
  /** Another service code on the magstripe, of a card that has nothing else. */
  readonly serviceCode?: string;
}

/** What a cardholder does when a PIN is wanted. `remove` pulls the card out instead. */
type PinAct = 'right' | 'wrong' | 'bypass' | 'cancel' | 'remove' | 'nothing';

/** A cardholder's part in one sale: acts in the order of the terminal's prompts. */
export interface CardholderScript {
  readonly cards?: readonly CardAct[];
  /** The last one is repeated. */
  readonly pins?: readonly PinAct[];
  /** Presses cancel instead of giving a card. */
  readonly cancelsAtCard?: boolean;
  /** Leaves the card in the slot when the terminal requests its removal. */
  readonly forgetsCard?: boolean;
}

const WRONG_PIN = '9999';

/** The person in front of a terminal, following a script; takes the card out when the terminal requests it. */
export class ScriptedCardholder {
  readonly #ui: TerminalUi;
  readonly #box: CardSource;
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #stopWatching: () => void;
  #script: CardholderScript = {};
  #cardsGiven = 0;
  #pinEntries = 0;
  #seen: UiWant = 'nothing';
  #timer: Timer | undefined;

  constructor(ui: TerminalUi, box: CardSource, clock: Clock, delayMs: number) {
    this.#ui = ui;
    this.#box = box;
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#stopWatching = ui.watch(() => this.#look());
  }

  /** Cards of the script that were given. */
  get cardsGiven(): number {
    return this.#cardsGiven;
  }

  /** How often a PIN was requested. */
  get pinEntries(): number {
    return this.#pinEntries;
  }

  /** Begins a script; the customer before took a forgotten card along. */
  follow(script: CardholderScript): void {
    if (this.#ui.inserted) this.#ui.remove();
    this.#script = script;
    this.#cardsGiven = 0;
    this.#pinEntries = 0;
  }

  /** Gives no more cards; takes out what is in the slot when the terminal requests it. */
  putCardsAway(): void {
    this.#script = { ...this.#script, cards: [] };
  }

  /** Goes away. */
  stop(): void {
    this.#stopWatching();
    this.#timer?.cancel();
  }

  #look(): void {
    const { want } = this.#ui;
    if (want === this.#seen) return;
    this.#seen = want;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (want !== 'nothing') this.#timer = this.#clock.setTimer(this.#delayMs, () => this.#act(want));
  }

  #act(want: UiWant): void {
    // The same wish right after an act is a new one: a second PIN, a second card.
    this.#seen = 'nothing';
    if (want === 'card') this.#giveCard();
    else if (want === 'pin') this.#enterPin();
    else if (want === 'removal') {
      if (this.#script.forgetsCard) return;
      this.#ui.remove();
    }
    this.#look();
  }

  #giveCard(): void {
    if (this.#script.cancelsAtCard) {
      this.#ui.enterPin({ kind: 'cancel' });
      return;
    }
    const act = this.#script.cards?.[this.#cardsGiven];
    if (!act) return;
    const taken = this.#box.take(act.card);
    if (!taken) throw new Error(`there is no card ${act.card}`);
    const how = act.how ?? taken.definition.usual;
    if (!this.#ui.accepts.has(how)) {
      // A card that the terminal does not take now is held until it wants one in another way; meanwhile the last is tried again.
      const last = this.#ui.given;
      if (last && this.#cardsGiven > 0 && this.#ui.accepts.has(last.how)) this.#ui.present(last);
      return;
    }
    this.#cardsGiven += 1;
    const { definition } = taken;
    const { serviceCode } = act;
    const card =
      serviceCode === undefined
        ? taken.card
        : {
            name: act.card,
            magstripe: magstripeTracks({ ...definition, pan: definition.account.pan, serviceCode }),
          };
    this.#ui.present({ definition, card, how, collision: act.second ?? false });
  }

  #enterPin(): void {
    const acts = this.#script.pins ?? ['right'];
    const act = acts[Math.min(this.#pinEntries, acts.length - 1)];
    this.#pinEntries += 1;
    switch (act) {
      case 'right':
        this.#digits(this.#ui.given?.definition.pin ?? WRONG_PIN);
        break;
      case 'wrong':
        this.#digits(WRONG_PIN);
        break;
      case 'bypass':
      case 'cancel':
        this.#ui.enterPin({ kind: act });
        break;
      case 'remove':
        this.#ui.remove();
        break;
      default:
    }
  }

  #digits(pin: string): void {
    this.#ui.enterPin({ kind: 'digits', digits: Buffer.from(pin, 'latin1') });
  }
}
