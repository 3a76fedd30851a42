import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';

/**
 * Sees what leaves the links of an acquirer, of all nodes: a trace number names one message within its window, which no simulation outlives, and
 * the same message again is marked as a repeat.
 */
export class NumberCheck {
  /** Contents by number and time, and what has each trace number. */
  readonly #sent = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #breach: (text: string) => void;

  constructor(breach: (text: string) => void) {
    this.#breach = breach;
  }

  /** A message leaves on a line. */
  saw(message: ExchangeMessage): void {
    const { terminalId = '', stan, at, isRepeat, isResponse } = message;
    // An answer has the number of the host's request.
    if (isResponse) return;
    const name = `${terminalId}/${stan}/${at}`;
    const other = this.#names.get(stan);
    this.#names.set(stan, name);
    if (other !== undefined && other !== name)
      this.#breach(`the link gave the trace number of ${other} to ${name}`);
    const content = contentOf(message);
    const before = this.#sent.get(name);
    this.#sent.set(name, content);
    if (before === undefined) return;
    if (before !== content) this.#breach(`the link gave the number ${name} to two messages`);
    else if (!isRepeat) this.#breach(`the link sent ${name} again without the flag of a repeat`);
  }
}

function contentOf({ kind, amount, original }: ExchangeMessage): string {
  return JSON.stringify([kind, amount, original]);
}
