import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { KeyedRequest } from '@tillbridge/wire/terminals/idtech/keyed-entry.js';
import type { OpenDigits } from '@tillbridge/wire/terminals/idtech/masking.js';
import type { PresentMode } from '../../cards/catalogue.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import { NO_SALE, type PaymentCore } from '../core/payment-core.js';
import type { Presentation, TerminalUi } from '../core/terminal-ui.js';
import { keyedData } from './transaction-output.js';

/** What the entry of a card number works with. */
interface KeyInDeps {
  readonly serial: string;
  readonly clock: Clock;
  readonly ui: TerminalUi;
  readonly core: PaymentCore;
  readonly dataKey: DukptDevice;
  /** What of a PAN is shown, as the host configured it last. */
  readonly open: () => OpenDigits;
  /** Notifies the host of a long press on the top right corner of the screen. */
  readonly tellCorner: () => void;
}

/** How a card number is given: `TerminalUi` knows it by this way. */
export const KEYS_ONLY: ReadonlySet<PresentMode> = new Set(['manual']);

/** Manual entry of a card number (83-41), and the long press that requests it. */
export class KeyIn {
  readonly #deps: KeyInDeps;
  /** The card of the cardholder who pressed the corner. */
  #inHand: Presentation | undefined;

  constructor(deps: KeyInDeps) {
    this.#deps = deps;
  }

  /** The corner is held while another command runs: the host decides what follows. */
  hold(given: Presentation): void {
    this.#inHand = given;
    this.#deps.tellCorner();
  }

  /** Forgets the long press. */
  forget(): void {
    this.#inHand = undefined;
  }

  /**
   * A card number and its expiry. @returns data of the answer, or how the entry ended without
   * @throws WaitAborted, KeyErased, CryptoError counterExhausted, StateError
   */
  async run(
    { timeoutSeconds, checkDigit }: KeyedRequest,
    signal: AbortSignal,
  ): Promise<Buffer | 'timeout' | 'cancel-key'> {
    const { serial, clock, ui, core, dataKey, open } = this.#deps;
    const untilMs = clock.monotonicMs() + timeoutSeconds * 1_000;
    ui.show(['CARD NUMBER', 'EXPIRY MM/YY']);
    for (;;) {
      const leftMs = Math.max(1, untilMs - clock.monotonicMs());
      const given = this.#inHand ?? (await core.awaitCard(KEYS_ONLY, leftMs, signal));
      this.forget();
      if (given === 'timeout' || given === 'cancel-key') {
        ui.clear();
        ui.setState('idle');
        return given;
      }
      const { account } = await core.read(given, NO_SALE);
      signal.throwIfAborted();
      if (!checkDigit || passesLuhn(account.pan)) {
        ui.clear();
        ui.setState('online');
        return keyedData(dataKey, account, serial, open());
      }
      ui.show(['WRONG NUMBER', 'EXPIRY MM/YY']);
    }
  }
}
