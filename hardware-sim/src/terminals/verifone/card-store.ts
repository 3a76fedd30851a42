import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { EncipheredOnce } from '../core/dukpt-device.js';
import type { CardRead, SaleInputs } from '../core/payment-core.js';

/** How long card data are kept without being used (SDI guide, CLEAR DATA STORE). */
export const DATA_STORE_MS = 8 * 60_000;

/** Where a transaction by contacts stands. */
export interface ContactTransaction {
  readonly phase: 'started' | 'online' | 'ended';
  readonly floorLimitMinor: number;
  readonly forceOnline: boolean;
  /** The host requested callbacks of the kernel's steps. */
  readonly tellsMerchant: boolean;
}

/** Where a contactless transaction stands; what the tap came to is kept until the host fetches it. */
type ContactlessTransaction =
  | { readonly phase: 'set-up'; readonly sale: SaleInputs }
  | { readonly phase: 'tapped'; readonly outcome: CardRead | { readonly error: unknown } }
  | { readonly phase: 'online' | 'ended' };

/** What the device keeps of a card until the host clears it, or for eight minutes after it came. */
export class CardStore {
  readonly #clock: Clock;
  #card: CardRead | undefined;
  #storedAtMs = 0;
  contact: ContactTransaction | undefined;
  contactless: ContactlessTransaction | undefined;
  /** The PIN that was entered last, enciphered. */
  pin: EncipheredOnce | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The card that was read last; undefined once it has been there too long. */
  get card(): CardRead | undefined {
    if (this.#clock.monotonicMs() - this.#storedAtMs >= DATA_STORE_MS) this.clear();
    return this.#card;
  }

  /** Keeps a card that was read; the PIN of another is not its own. */
  keep(card: CardRead): void {
    this.#card = card;
    this.#storedAtMs = this.#clock.monotonicMs();
    this.pin = undefined;
  }

  /** Forgets card and PIN. */
  clear(): void {
    this.#card = undefined;
    this.pin = undefined;
  }

  /** Forgets everything: the device lost its line or its power. */
  reset(): void {
    this.clear();
    this.contact = undefined;
    this.contactless = undefined;
  }
}
