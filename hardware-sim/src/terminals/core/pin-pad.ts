import { CardCommunicationError } from '../../cards/core/card.js';
import type { Cardholder } from '../../kernel/cardholder-verification.js';
import type { EncipheredOnce } from './dukpt-device.js';
import type { TerminalUi } from './terminal-ui.js';

/** How the terminal prompts for a PIN. */
export interface PinPrompt {
  readonly lines: readonly string[];
  readonly timeoutMs: number;
  /** False: the pad prompts again when the cardholder skips the entry. */
  readonly allowBypass: boolean;
  /** Called when the entry begins. */
  readonly onAsk?: () => void;
  /** Requests the terms of each entry from the host; it may end the entry by throwing {@link PinEntryEnded}. */
  readonly askTerms?: (verifiedBy: 'issuer' | 'card') => Promise<PinTerms>;
}

/** The prompt of a device whose host sets none. */
export const ENTER_PIN: PinPrompt = { lines: ['ENTER PIN'], timeoutMs: 60_000, allowBypass: true };

/** The host's terms of a PIN entry. */
export interface PinTerms extends Partial<Pick<PinPrompt, 'timeoutMs' | 'allowBypass'>> {
  /** No PIN is to be entered: as if the cardholder had skipped it. */
  readonly skip?: boolean;
}

/** The cardholder ended the entry of a PIN. */
export class PinEntryEnded extends Error {
  override readonly name = 'PinEntryEnded';
  readonly how: 'cancelled' | 'timeout';

  constructor(how: 'cancelled' | 'timeout') {
    super(`the PIN entry ended: ${how}`);
    this.how = how;
  }
}

/**
 * Shows a prompt and waits for digits; the caller wipes them.
 * @throws PinEntryEnded, WaitAborted; CardCommunicationError when the card left the slot
 */
export async function enterPin(
  ui: TerminalUi,
  prompt: PinPrompt,
  signal: AbortSignal,
  verifiedBy: 'issuer' | 'card',
): Promise<Buffer | 'bypass'> {
  ui.show(prompt.lines);
  try {
    prompt.onAsk?.();
    const terms = prompt.askTerms && (await prompt.askTerms(verifiedBy));
    if (terms?.skip) return 'bypass';
    const { timeoutMs, allowBypass } = { ...prompt, ...terms };
    for (;;) {
      const entry = await ui.waitForPin(timeoutMs, signal);
      if (entry === 'timeout') throw new PinEntryEnded('timeout');
      if (entry === 'card-removed') throw new CardCommunicationError('the card left during the PIN entry');
      if (entry.kind === 'cancel') throw new PinEntryEnded('cancelled');
      if (entry.kind === 'digits') return entry.digits;
      if (allowBypass) return 'bypass';
    }
  } finally {
    ui.clear();
  }
}

/** The two kinds of PIN entry. */
interface PinEntries {
  /** Digits for the card. */
  readonly forCard: (triesLeft: number | undefined) => Promise<Buffer | 'bypass'>;
  /** The PIN for the issuer, enciphered. */
  readonly forIssuer: () => Promise<EncipheredOnce | 'bypass'>;
}

/** The PIN pad as the kernel sees it; keeps the enciphered online PIN for the answer. */
export class PinPad implements Cardholder {
  captured: EncipheredOnce | undefined;
  bypassed = false;
  readonly #entries: PinEntries;

  constructor(entries: PinEntries) {
    this.#entries = entries;
  }

  async askOfflinePin(triesLeft: number | undefined): Promise<Buffer | 'bypass'> {
    const entry = await this.#entries.forCard(triesLeft);
    this.bypassed ||= entry === 'bypass';
    return entry;
  }

  async askOnlinePin(): Promise<'captured' | 'bypass'> {
    const entry = await this.#entries.forIssuer();
    if (entry === 'bypass') {
      this.bypassed = true;
      return entry;
    }
    this.captured = entry;
    return 'captured';
  }
}
