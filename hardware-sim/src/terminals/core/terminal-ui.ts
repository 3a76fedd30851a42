import { wipe } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { CardDefinition, PresentMode } from '../../cards/catalogue.js';
import { type Card, CardCommunicationError, type VirtualCard } from '../../cards/core/card.js';
import type { CardholderAct } from './cardholder-act.js';
import { interruptible } from './interruptible.js';

/** The state of a terminal as its UI shows it. */
type TerminalState =
  | 'idle'
  | 'waiting-card'
  | 'reading'
  | 'waiting-pin'
  | 'waiting-input'
  | 'online'
  | 'removing';

/** A card and the way it is given. */
export interface Presentation {
  readonly card: VirtualCard;
  readonly definition: CardDefinition;
  readonly how: PresentMode;
  /** A second card is in the field as well, so that no reader can choose one (for `tap`). */
  readonly collision?: boolean;
}

/** What a person enters on the PIN pad; digits are ASCII and belong to the one who waits, who wipes them. */
export type PinEntry =
  | { readonly kind: 'digits'; readonly digits: Buffer }
  | { readonly kind: 'bypass' | 'cancel' };

/** What a person keys in outside of a PIN: the text in front of ENTER (the number of an option, digits, or nothing), or CANCEL. */
export type KeyedInput = { readonly kind: 'entered'; readonly text: string } | { readonly kind: 'cancel' };

/** How a wait ended without what it waited for. */
type WaitEnd = 'timeout' | 'cancel-key' | 'card-removed';

/** The terminal cannot take this input now; the message names the reason. */
export class TerminalUiError extends Error {
  override readonly name = 'TerminalUiError';
}

/** The input that the terminal waits for. */
export type UiWant = 'card' | 'pin' | 'input' | 'removal' | 'nothing';

interface Pending<T> {
  readonly want: Exclude<UiWant, 'nothing'>;
  readonly accept: ReadonlySet<PresentMode>;
  /** A card given in another way is kept ready instead of refused. */
  readonly holdsOthers: boolean;
  readonly settle: (result: T | WaitEnd) => void;
}

type AnyPending = Pending<Presentation | PinEntry | KeyedInput>;

/** Limits of the terminal UI. */
interface TerminalUiDeps {
  readonly clock: Clock;
  /** How long a card or a PIN that came before the terminal's request stays usable. */
  readonly aheadMs: number;
  /** Stands between the terminal and each chip that it reads. */
  readonly tapCard?: ((card: Card, presentation: Presentation) => Card) | undefined;
  /** Receives what a cardholder did, when the terminal takes it. */
  readonly onAct?: ((act: CardholderAct) => void) | undefined;
}

/** Lines of paper that are remembered. */
const MAX_PRINTED = 500;
const NO_MODES: ReadonlySet<PresentMode> = new Set();
const ANSWER_TO_NOTHING: Card = { reset: async () => undefined, transmit: async () => new Uint8Array() };

/**
 * The outside of a terminal: slot, antenna, magstripe reader, PIN pad and display. People act on it (through REST, or a
 * simulated cardholder), the device program waits on it. One wait at a time.
 */
export class TerminalUi {
  readonly #deps: TerminalUiDeps;
  readonly #watchers = new Listeners<[]>();
  #state: TerminalState = 'idle';
  #screen: readonly string[] = [];
  #pending: AnyPending | undefined;
  #printed: readonly string[] = [];
  #inSlot: { readonly presentation: Presentation; readonly card: SlotCard } | undefined;
  #used: Presentation | undefined;
  #given: Presentation | undefined;
  #heldCard: Held<Presentation> | undefined;
  #heldPin: Held<PinEntry> | undefined;

  /** Reports keys to the host that no command requests. Returns whether it did. */
  tellKey: ((input: KeyedInput) => boolean) | undefined;

  constructor(deps: TerminalUiDeps) {
    this.#deps = deps;
  }

  get state(): TerminalState {
    return this.#state;
  }

  get screen(): readonly string[] {
    return this.#screen;
  }

  /** Lines that were printed, at most {@link MAX_PRINTED}. */
  get printed(): readonly string[] {
    return this.#printed;
  }

  /** What the terminal waits for. */
  get want(): UiWant {
    return this.#pending?.want ?? 'nothing';
  }

  /** The ways that a card can be given right now. */
  get accepts(): ReadonlySet<PresentMode> {
    return this.#pending?.accept ?? NO_MODES;
  }

  /** Whether a card is held ready until the terminal prompts for it. */
  get holdsCard(): boolean {
    return this.#heldCard !== undefined;
  }

  /** The card that sits in the slot. */
  get inserted(): Presentation | undefined {
    return this.#inSlot?.presentation;
  }

  /** The card in the slot was used: the next sale waits until it has left. */
  get removalDue(): boolean {
    return this.inserted !== undefined && this.inserted === this.#used;
  }

  /** The card that was given last, in whatever way. */
  get given(): Presentation | undefined {
    return this.#given;
  }

  /** Calls `watcher` after every change. Returns the function that ends the subscription. */
  watch(watcher: () => void): () => void {
    return this.#watchers.add(watcher);
  }

  /** Takes the card in the slot for used. */
  markUsed(): void {
    this.#used = this.inserted;
  }

  /** Sets the state outside a wait. */
  setState(state: 'idle' | 'reading' | 'online'): void {
    this.#change(() => {
      this.#state = state;
    });
  }

  /** Replaces the display's lines. */
  show(lines: readonly string[]): void {
    this.#change(() => {
      this.#screen = lines;
    });
  }

  /** Prints lines. */
  print(lines: readonly string[]): void {
    this.#change(() => {
      this.#printed = [...this.#printed, ...lines].slice(-MAX_PRINTED);
    });
  }

  /** Empties the display. */
  clear(): void {
    this.show([]);
  }

  // Input of the cardholder.

  /**
   * Gives a card; kept ready for a while when the terminal does not ask yet.
   * @returns whether it is held ready
   * @throws TerminalUiError when the card has no such face, or the terminal prompts for another way
   */
  present(presentation: Presentation): { readonly held: boolean } {
    requireFace(presentation);
    const pending = this.#pending;
    if (pending?.want !== 'card' || (pending.holdsOthers && !pending.accept.has(presentation.how))) {
      this.#change(() => {
        this.#heldCard?.drop();
        this.#heldCard = this.#hold(presentation, () => {
          this.#heldCard = undefined;
        });
      });
      return { held: true };
    }
    if (!pending.accept.has(presentation.how)) {
      throw new TerminalUiError(
        `the terminal takes ${[...pending.accept].join(' or ')} now, not ${presentation.how}`,
      );
    }
    this.#change(() => pending.settle(this.#place(presentation)));
    return { held: false };
  }

  /** Enters a PIN, or skips or cancels the entry; kept ready for a while when the terminal does not ask yet. */
  enterPin(entry: PinEntry): { readonly held: boolean } {
    const pending = this.#pending;
    // The cancel key is one.
    if (pending?.want === 'input' && entry.kind === 'cancel') {
      this.#acted({ act: 'cancel' });
      this.#change(() => pending.settle({ kind: 'cancel' }));
      return { held: false };
    }
    if (pending?.want === 'pin' || (pending && entry.kind === 'cancel' && pending.want === 'card')) {
      this.#acted(pending.want === 'card' ? { act: 'cancel' } : this.#pinAct(entry));
      this.#change(() => pending.settle(pending.want === 'card' ? 'cancel-key' : entry));
      return { held: false };
    }
    this.#change(() => {
      this.#forgetPin();
      this.#heldPin = this.#hold(entry, () => this.#forgetPin());
    });
    return { held: true };
  }

  /** Keys something in that the terminal prompts for, or that it reports to its host. @throws TerminalUiError while it does neither */
  keyIn(input: KeyedInput): void {
    const pending = this.#pending;
    if (pending?.want === 'input') this.#change(() => pending.settle(input));
    else if (pending || !this.tellKey?.(input))
      throw new TerminalUiError('the terminal prompts for no input now');
  }

  /**
   * Takes the card out of the slot; with an empty slot, takes back the one that is held ready. A card that is held
   * while another leaves the slot stays ready: it is the next customer's.
   */
  remove(): void {
    this.#change(() => {
      if (!this.#inSlot) {
        this.#heldCard?.drop();
        this.#heldCard = undefined;
        this.#forgetPin();
      }
      if (this.#inSlot) this.#acted({ act: 'remove', during: this.#state });
      this.#inSlot?.card.remove();
      this.#inSlot = undefined;
      const pending = this.#pending;
      if (pending && pending.want !== 'card' && pending.want !== 'input') pending.settle('card-removed');
    });
  }

  // What the device program waits for.

  /**
   * Waits for a card. One that sits in the slot already, or is held ready, is taken at once.
   * @param others what becomes of a card that is given in another way; a terminal that rests keeps it ready
   * @throws WaitAborted
   */
  async waitForCard(
    accept: ReadonlySet<PresentMode>,
    timeoutMs: number | undefined,
    signal: AbortSignal,
    others: 'refused' | 'held' = 'refused',
  ): Promise<Presentation | 'timeout' | 'cancel-key'> {
    signal.throwIfAborted();
    const held = this.#heldCard;
    if (held && accept.has(held.value.how)) {
      this.#heldCard = undefined;
      held.drop();
      return this.#place(held.value);
    }
    if (this.#inSlot && accept.has('insert')) return this.#inSlot.presentation;
    const result = await this.#wait<Presentation>('card', 'waiting-card', accept, timeoutMs, signal, others);
    return result === 'card-removed' ? 'cancel-key' : result;
  }

  /** Waits for a PIN. @throws WaitAborted */
  async waitForPin(timeoutMs: number, signal: AbortSignal): Promise<PinEntry | 'timeout' | 'card-removed'> {
    signal.throwIfAborted();
    const held = this.#heldPin;
    if (held) {
      this.#heldPin = undefined;
      held.drop();
      this.#acted(this.#pinAct(held.value));
      return held.value;
    }
    const result = await this.#wait<PinEntry>('pin', 'waiting-pin', NO_MODES, timeoutMs, signal);
    return result === 'cancel-key' ? { kind: 'cancel' } : result;
  }

  /** Waits for what a person keys in outside of a PIN. @throws WaitAborted */
  async waitForInput(timeoutMs: number | undefined, signal: AbortSignal): Promise<KeyedInput | 'timeout'> {
    signal.throwIfAborted();
    const end = await this.#wait<KeyedInput>('input', 'waiting-input', NO_MODES, timeoutMs, signal);
    return typeof end === 'object' || end === 'timeout' ? end : { kind: 'cancel' };
  }

  /** Waits until the slot is empty. @throws WaitAborted */
  async waitForRemoval(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#inSlot) await this.#wait('removal', 'removing', NO_MODES, undefined, signal);
  }

  /** Waits until the slot is empty, without showing it. @throws WaitAborted */
  async slotEmptied(signal: AbortSignal): Promise<void> {
    let stop = (): void => undefined;
    await interruptible<void>(
      { clock: this.#deps.clock, signal },
      (settle) => {
        stop = this.watch(() => {
          if (!this.inserted) settle();
        });
      },
      () => stop(),
    );
  }

  /** The chip of a card that was given, until it is taken away. A face without a chip stays mute. */
  chipOf(presentation: Presentation): Card {
    const { card, how } = presentation;
    const chip = (how === 'tap' ? card.contactless : this.#inSlot?.card) ?? ANSWER_TO_NOTHING;
    return this.#deps.tapCard?.(chip, presentation) ?? chip;
  }

  #place(presentation: Presentation): Presentation {
    this.#given = presentation;
    const { definition, how, collision } = presentation;
    this.#acted({ act: 'present', card: definition.name, how, ...(collision && { second: true }) });
    if (presentation.how !== 'insert') return presentation;
    this.#inSlot?.card.remove();
    this.#inSlot = { presentation, card: new SlotCard(presentation.card.contact ?? ANSWER_TO_NOTHING) };
    return presentation;
  }

  #acted(act: CardholderAct): void {
    this.#deps.onAct?.(act);
  }

  /** Whether the digits are those of the card. */
  #pinAct(entry: PinEntry): CardholderAct {
    if (entry.kind !== 'digits') return { act: 'pin', pin: entry.kind };
    const isRight = entry.digits.equals(Buffer.from(this.#given?.definition.pin ?? '', 'latin1'));
    return { act: 'pin', pin: isRight ? 'right' : 'wrong' };
  }

  #forgetPin(): void {
    const held = this.#heldPin;
    this.#heldPin = undefined;
    held?.drop();
    if (held?.value.kind === 'digits') wipe(held.value.digits);
  }

  #hold<T>(value: T, expired: () => void): Held<T> {
    const timer = this.#deps.clock.setTimer(this.#deps.aheadMs, () => this.#change(expired));
    return { value, drop: () => timer.cancel() };
  }

  #wait<T extends Presentation | PinEntry | KeyedInput>(
    want: Pending<T>['want'],
    state: TerminalState,
    accept: ReadonlySet<PresentMode>,
    timeoutMs: number | undefined,
    signal: AbortSignal,
    others: 'refused' | 'held' = 'refused',
  ): Promise<T | WaitEnd> {
    const { clock } = this.#deps;
    const set = (next: TerminalState, pending?: AnyPending): void =>
      this.#change(() => {
        this.#state = next;
        this.#pending = pending;
      });
    return interruptible<T | WaitEnd>(
      { clock, timeoutMs, signal },
      (settle) =>
        set(state, {
          want,
          accept,
          holdsOthers: others === 'held',
          settle: settle as AnyPending['settle'],
        }),
      () => set('reading'),
    );
  }

  #change(change: () => void): void {
    change();
    this.#watchers.tell();
  }
}

interface Held<T> {
  readonly value: T;
  /** Ends the holding without more. */
  drop(): void;
}

function requireFace({ card, how }: Presentation): void {
  if (how === 'tap' && !card.contactless)
    throw new TerminalUiError(`${card.name} has no antenna: insert or swipe it`);
  if (how === 'swipe' && !card.magstripe)
    throw new TerminalUiError(`${card.name} has no magstripe: insert or tap it`);
}

/** A chip in the slot: gone for good once it is pulled out. */
class SlotCard implements Card {
  readonly #chip: Card;
  #removed = false;

  constructor(chip: Card) {
    this.#chip = chip;
  }

  remove(): void {
    this.#removed = true;
  }

  async reset(): Promise<Uint8Array | undefined> {
    this.#requirePresent();
    return this.#chip.reset();
  }

  async transmit(command: Uint8Array): Promise<Uint8Array> {
    this.#requirePresent();
    const answer = await this.#chip.transmit(command);
    this.#requirePresent();
    return answer;
  }

  #requirePresent(): void {
    if (this.#removed) throw new CardCommunicationError('the card was taken out of the slot');
  }
}
