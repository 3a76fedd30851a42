import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { CardBox } from '../../cards/card-box.js';
import type { PresentMode } from '../../cards/catalogue.js';
import type { Presentation, TerminalUi, UiWant } from './terminal-ui.js';

/** How the simulated cardholder behaves. */
interface AutoCardholderDeps {
  readonly clock: Clock;
  readonly box: CardBox;
  /** Name of the card that is given unless another was presented. */
  readonly defaultCard: string;
  /** How long a person takes for each step. */
  readonly delayMs: number;
}

/** How long a cardholder remembers that the chip just taken out could not be read, and swipes. */
const RETRY_WITHIN_MS = 30_000;

/**
 * A cardholder without a person: after a short moment gives a card that is waited for, enters its PIN, takes it out.
 * A card that was presented otherwise before that moment stays, and is handled like its own.
 */
export class AutoCardholder {
  readonly #ui: TerminalUi;
  readonly #deps: AutoCardholderDeps;
  #seen: UiWant | 'take-back' = 'nothing';
  #timer: Timer | undefined;
  /** Swiped next, or given again: the last chip that was inserted gave no answer. */
  #retry: { readonly presentation: Presentation; readonly untilMs: number } | undefined;
  readonly #stopWatching: () => void;

  constructor(ui: TerminalUi, deps: AutoCardholderDeps) {
    this.#ui = ui;
    this.#deps = deps;
    this.#stopWatching = ui.watch(() => this.#look());
    this.#look();
  }

  /** Goes away. */
  stop(): void {
    this.#stopWatching();
    this.#timer?.cancel();
  }

  #look(): void {
    const { want, state, inserted } = this.#ui;
    // A card that was forgotten in a terminal at rest is taken back.
    const now = want === 'nothing' && state === 'idle' && inserted ? 'take-back' : want;
    if (now === this.#seen) return;
    this.#seen = now;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (now === 'nothing') return;
    this.#actLater();
  }

  #actLater(): void {
    this.#timer = this.#deps.clock.setTimer(this.#deps.delayMs, () => this.#act());
  }

  #act(): void {
    const ui = this.#ui;
    switch (this.#seen) {
      case 'card': {
        // A card was presented ahead of time; the terminal will take it.
        if (ui.holdsCard) {
          this.#actLater();
          return;
        }
        const presentation = this.#choose(ui.accepts);
        if (presentation) ui.present(presentation);
        return;
      }
      case 'pin':
        ui.enterPin(this.#pin());
        return;
      case 'removal':
      case 'take-back':
        this.#rememberMute(ui.inserted);
        ui.remove();
        return;
      default:
    }
  }

  #pin() {
    const pin = this.#ui.given?.definition.pin;
    return pin === undefined
      ? ({ kind: 'bypass' } as const)
      : ({ kind: 'digits', digits: Buffer.from(pin, 'latin1') } as const);
  }

  #rememberMute(presentation: Presentation | undefined): void {
    const untilMs = this.#deps.clock.monotonicMs() + RETRY_WITHIN_MS;
    // A phone held into the slot is as mute as a broken chip, and has nothing to swipe.
    const swipes = presentation?.card.magstripe !== undefined && isMute(presentation);
    this.#retry = swipes ? { presentation, untilMs } : undefined;
  }

  #choose(accepts: ReadonlySet<PresentMode>): Presentation | undefined {
    const retry = this.#retry;
    this.#retry = undefined;
    if (retry && this.#deps.clock.monotonicMs() < retry.untilMs) {
      if (accepts.has('swipe')) return { ...retry.presentation, how: 'swipe' };
      // Some devices require several chip failures before a fallback.
      if (accepts.has(retry.presentation.how)) return retry.presentation;
    }
    const taken = this.#deps.box.take(this.#deps.defaultCard);
    if (!taken) return undefined;
    const ways = waysOf(taken.card).filter((way) => accepts.has(way));
    const how = ways.find((way) => way === taken.definition.usual) ?? ways[0];
    return how && { ...taken, how };
  }
}

function waysOf(card: Presentation['card']): PresentMode[] {
  return [
    'insert' as const,
    ...(card.contactless ? (['tap'] as const) : []),
    ...(card.magstripe ? (['swipe'] as const) : []),
  ];
}

function isMute({ definition, card }: Presentation): boolean {
  return definition.muteChip === true || card.contact === undefined;
}
