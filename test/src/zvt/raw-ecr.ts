import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/*
 * A cash register that shares no code with the agent: TCP and ZVT, written from the published facts (PA00P015; the client
 * Portalum/Portalum.Zvt sends the same bytes).
 */

/** A message as hex: class and instruction, and what follows the length. */
export interface EcrMessage {
  readonly control: string;
  readonly data: string;
}

const ACKNOWLEDGEMENT = '800000';
/** Gives the register its turn again: done, came to nothing. */
const ENDS = ['060f', '061e'];

/** A request for an amount in cents. */
export function authorization(cents: number): string {
  return `06010704${String(cents).padStart(12, '0')}`;
}

/** A reservation of an amount in cents. */
export function reservation(cents: number): string {
  return `06220704${String(cents).padStart(12, '0')}`;
}

/** Books an amount in cents of a reservation, by the four digits of its receipt number. */
export function booking(receipt: string, cents: number): string {
  return `06240a87${receipt}04${String(cents).padStart(12, '0')}`;
}

/** Releases a reservation. */
export function reservationReversal(receipt: string): string {
  return `06250387${receipt}`;
}

/** A reversal by the four digits of a receipt number. */
export function reversal(password: string, receipt: string): string {
  return `063006${password}87${receipt}`;
}

/** The receipt number of the status information among messages. */
export function receiptOf(messages: readonly EcrMessage[]): string {
  const status = messages.find(({ control }) => control === '040f')?.data ?? '';
  // Terminal and receipt number follow each other where a merchant's number stands between them: 29, 2A, 87.
  return /29.{8}2a.{30}87(\d{4})/.exec(status)?.[1] ?? '';
}

/** A register on one connection. It acknowledges what it is sent. */
export class RawEcr {
  readonly #socket: Socket;
  #rest = '';
  #closed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      this.#rest += bytes.toString('hex');
      this.#wake();
    });
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** Connects and registers: no receipts, intermediate states, euro. */
  static async open(port: number, password: string): Promise<RawEcr> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const ecr = new RawEcr(socket);
    const answers = await ecr.request(`060006${password}380978`);
    if (answers.at(-1)?.control !== '060f') throw new Error(`not registered: ${answers[0]?.control}`);
    return ecr;
  }

  /**
   * Sends a request; all messages up to the end, each acknowledged, or up to a refusal.
   * @throws Error when the connection ends
   */
  async request(hex: string): Promise<readonly EcrMessage[]> {
    this.send(hex);
    const messages: EcrMessage[] = [];
    for (;;) {
      const message = await this.next();
      messages.push(message);
      if (message.control.startsWith('84')) return messages;
      if (message.control === '8000') continue;
      this.send(ACKNOWLEDGEMENT);
      if (ENDS.includes(message.control)) return messages;
    }
  }

  send(hex: string): void {
    this.#socket.write(Buffer.from(hex, 'hex'));
  }

  /** The next message. @throws Error when the connection ends */
  async next(): Promise<EcrMessage> {
    for (;;) {
      const message = this.#cut();
      if (message) return message;
      if (this.#closed) throw new Error('the connection ended');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #cut(): EcrMessage | undefined {
    const isLong = this.#rest.slice(4, 6) === 'ff';
    const from = isLong ? 10 : 6;
    if (this.#rest.length < from) return undefined;
    const [low, high] = [this.#rest.slice(6, 8), this.#rest.slice(8, 10)];
    const length = Number.parseInt(isLong ? `${high}${low}` : this.#rest.slice(4, 6), 16);
    const to = from + 2 * length;
    if (this.#rest.length < to) return undefined;
    const message = { control: this.#rest.slice(0, 4), data: this.#rest.slice(from, to) };
    this.#rest = this.#rest.slice(to);
    return message;
  }
}
