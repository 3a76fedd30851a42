import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import {
  coveredByMac,
  packExchange,
  putMac,
  unpackExchange,
} from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import type { ExchangeMessage, NetworkFunction } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { framed, MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';

/** When the tests' gateways send. */
export const AT_MS = Date.UTC(2026, 10, 23, 7, 22, 0);
const AT = '20261123072200';

/** A sale of EUR 12.34 with the number of a card. */
export const SALE = {
  kind: 'financial',
  isAdvice: false,
  isResponse: false,
  isRepeat: false,
  at: AT,
  transaction: 'purchase',
  amount: { minor: 1234, currency: 'EUR' },
  entryMode: 'keyed',
  pan: '4200000000000000',
  expiry: '3112',
  terminalId: 'T1001',
  merchantId: 'M1',
  acquirerId: '12345',
} as const satisfies Omit<ExchangeMessage, 'stan'>;

/** The reversal of a message. */
export function reversalOf(
  { stan, at, kind, isAdvice }: ExchangeMessage,
  values: Partial<ExchangeMessage> = {},
): Partial<ExchangeMessage> {
  const { pan: _, ...rest } = SALE;
  return {
    ...rest,
    kind: 'reversal',
    isAdvice: true,
    original: { type: { kind, isAdvice }, stan, at },
    ...values,
  };
}

/** A gateway that speaks to a host: sends messages with codes, and takes what comes. */
export class TestGateway {
  /** Everything that came, in its order. */
  readonly received: ExchangeMessage[] = [];
  /** Messages that came and could not be read. */
  unreadable = 0;
  /** Why the line ended; undefined while it has not. */
  closed: string | undefined;
  readonly #pipe: BytePipe;
  readonly #dialect: Dialect;
  readonly #frames = new MessageFrames();
  readonly #waiters: { readonly stan: string; readonly resolve: (answer: ExchangeMessage) => void }[] = [];
  readonly #ends: ((reason: string) => void)[] = [];
  #stan = 0;
  /** Under which it makes the codes of its messages. */
  macKey = developmentKey('zoneMacKey');
  readonly #listeners: (() => void)[] = [];

  constructor(pipe: BytePipe, dialect: Dialect) {
    this.#pipe = pipe;
    this.#dialect = dialect;
    pipe.onData((bytes) => {
      for (const message of this.#frames.push(bytes)) this.#took(message);
    });
    pipe.onClose((reason) => {
      this.closed = reason;
      for (const end of this.#ends.splice(0)) end(reason);
    });
  }

  /** A message of this gateway: the next number, unless another is given. */
  message(values: Partial<ExchangeMessage>): ExchangeMessage {
    this.#stan += 1;
    return { ...SALE, stan: String(this.#stan).padStart(6, '0'), ...values };
  }

  /** Sends a message and waits for the answer with its number. */
  async ask(values: Partial<ExchangeMessage>): Promise<ExchangeMessage> {
    const message = this.message(values);
    const answer = new Promise<ExchangeMessage>((resolve) =>
      this.#waiters.push({ stan: message.stan, resolve }),
    );
    await this.send(message);
    return answer;
  }

  /** Signs on. */
  signOn(): Promise<ExchangeMessage> {
    return this.ask({ kind: 'network', network: 'sign-on' });
  }

  /** Sends a message. */
  send(message: ExchangeMessage): Promise<void> {
    const bytes = packExchange(this.#dialect, message, true);
    putMac(
      this.#dialect,
      bytes,
      retailMac(this.macKey, coveredByMac(this.#dialect, bytes), 'iso9797Method1'),
    );
    return this.sendBytes(framed(bytes));
  }

  /** The host's own message of a kind, as soon as it has come. */
  async next(network: NetworkFunction): Promise<ExchangeMessage> {
    for (;;) {
      const found = this.received.find((message) => message.network === network && !message.isResponse);
      if (found) return found;
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Sends bytes as they are. */
  sendBytes(bytes: Uint8Array): Promise<void> {
    return this.#pipe.write(bytes);
  }

  /** Resolves when the host has cut the line. */
  async ended(): Promise<string> {
    return this.closed ?? new Promise((resolve) => this.#ends.push(resolve));
  }

  close(): Promise<void> {
    return this.#pipe.close();
  }

  #took(bytes: Buffer): void {
    const message = this.#read(bytes);
    if (!message) return;
    this.received.push(message);
    for (const listener of this.#listeners.splice(0)) listener();
    const at = this.#waiters.findIndex(({ stan }) => stan === message.stan);
    if (at >= 0) this.#waiters.splice(at, 1)[0]?.resolve(message);
  }

  #read(bytes: Buffer): ExchangeMessage | undefined {
    try {
      return unpackExchange(this.#dialect, bytes, AT_MS);
    } catch (error) {
      if (!(error instanceof Iso8583Error)) throw error;
      this.unreadable += 1;
      return undefined;
    }
  }
}
