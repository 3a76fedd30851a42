import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type Receipt, readEscPos } from './esc-pos.js';

/** Receipts that are kept. */
export const MAX_RECEIPTS = 50;
/** Most bytes of one print, and tills that print at once. */
export const MAX_PRINT_BYTES = 64 * 1024;
const MAX_CONNECTIONS = 16;
/** A till that sends nothing for so long has printed. */
const IDLE_MS = 5_000;

/** A receipt as `GET /receipts` shows it. */
export interface ReceiptView {
  readonly number: number;
  readonly at: string;
  readonly lines: Receipt;
}

/** A receipt printer: takes the commands of ESC/POS over TCP or REST, and keeps what it printed. Card numbers are masked. */
export class ReceiptPrinter {
  readonly #clock: Clock;
  readonly #onPrint: () => void;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #receipts: ReceiptView[] = [];
  #last = 0;

  /** @param onPrint called after each print */
  constructor(clock: Clock, onPrint: () => void) {
    this.#clock = clock;
    this.#onPrint = onPrint;
  }

  /** Newest first. */
  get receipts(): readonly ReceiptView[] {
    return [...this.#receipts].reverse();
  }

  /** Prints. @returns how many receipts that were */
  print(bytes: Uint8Array): number {
    const printed = readEscPos(bytes);
    for (const lines of printed) {
      this.#last += 1;
      const masked = lines.map(({ text, bold }) => ({ text: maskText(text), bold }));
      this.#receipts.push({
        number: this.#last,
        at: new Date(this.#clock.nowMs()).toISOString(),
        lines: masked,
      });
    }
    this.#receipts = this.#receipts.slice(-MAX_RECEIPTS);
    if (printed.length > 0) this.#onPrint();
    return printed.length;
  }

  /** Throws the paper away. */
  clear(): void {
    this.#receipts = [];
    this.#onPrint();
  }

  /** Begins to listen; gives the port. Rejects with the system's error, such as EADDRINUSE. */
  async listen(port: number, host: string): Promise<number> {
    const server = createServer((socket) => this.#serve(socket));
    server.maxConnections = MAX_CONNECTIONS;
    this.#server = server;
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Cuts everything and stops listening. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server?.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    const pieces: Buffer[] = [];
    let bytes = 0;
    this.#sockets.add(socket);
    socket.setTimeout(IDLE_MS, () => socket.end());
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece) => {
      bytes += piece.length;
      if (bytes > MAX_PRINT_BYTES) socket.destroy();
      else pieces.push(piece);
    });
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (bytes <= MAX_PRINT_BYTES) this.print(Buffer.concat(pieces));
    });
  }
}
