import { unpackExchange } from '@tillbridge/protocol/iso8583/exchange/exchange-codec.js';
import type { ExchangeMessage } from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import { MessageFrames } from '@tillbridge/protocol/iso8583/message-frames.js';
import { LINK_DIALECT } from './link-host.js';

/** Sees what leaves a link: a number names one message, and the same message again says that it is a repeat. */
export class NumberCheck {
  readonly #sent = new Map<string, string>();
  readonly #breach: (text: string) => void;

  constructor(breach: (text: string) => void) {
    this.#breach = breach;
  }

  /** Bytes leave on a line. */
  saw(bytes: Uint8Array, nowMs: number): void {
    for (const frame of new MessageFrames().push(bytes))
      this.#check(unpackExchange(LINK_DIALECT, frame, nowMs));
  }

  #check(message: ExchangeMessage): void {
    const { terminalId = '', stan, at, isRepeat } = message;
    const name = `${terminalId}/${stan}/${at}`;
    const content = contentOf(message);
    const before = this.#sent.get(name);
    this.#sent.set(name, content);
    if (before === undefined) return;
    if (before !== content) this.#breach(`the link gave the number ${name} to two messages`);
    else if (!isRepeat) this.#breach(`the link sent ${name} again, and did not say so`);
  }
}

function contentOf({ kind, amount, original }: ExchangeMessage): string {
  return JSON.stringify([kind, amount, original]);
}
