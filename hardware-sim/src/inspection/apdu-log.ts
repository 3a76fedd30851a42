import { toHex } from '@tillbridge/wire/bytes.js';
import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { maskBytes } from '@tillbridge/wire/terminals/trace/mask-bytes.js';
import type { Card } from '../cards/core/card.js';
import { swText } from '../kernel/kernel-error.js';
import type { Presentation } from '../terminals/core/terminal-ui.js';
import { ApduReader, holdsPin, type ReadApdu } from './apdu-reader.js';
import { BoundedLog, type LogEntry } from './bounded-log.js';
import type { EntryPlace, SaleLog } from './sale-log.js';

/** Exchanges of one terminal that are kept. */
export const MAX_APDUS = 500;
const MAX_APDU_LOG_BYTES = 512 * 1024;
/** Class, instruction, parameters and length stand before the data. */
const HEADER_BYTES = 5;
const SW_BYTES = 2;

/** A command and its answer; a PIN is not kept. */
interface LoggedApdu extends LogEntry, EntryPlace {
  /** Counts the cards that were given. */
  readonly card: number;
  readonly cardName: string;
  /** Hex of a PIN is hidden from its place on. */
  readonly pinAt: number | undefined;
  readonly command: Buffer;
  /** Absent: the card gave no answer, because it had gone. */
  readonly response: Buffer | undefined;
  readonly read: ReadApdu;
}

/** An exchange as `GET /terminals/{id}/apdus` shows it. */
export interface ApduView extends EntryPlace {
  readonly number: number;
  readonly at: string;
  readonly card: number;
  readonly cardName: string;
  readonly name: string;
  readonly command: string;
  readonly response: string;
  /** Four hex digits; empty without an answer. */
  readonly sw: string;
  readonly meaning: string;
}

/** What terminals and cards send to each other. */
export class ApduLog {
  readonly exchanges = new BoundedLog<LoggedApdu>({
    maxEntries: MAX_APDUS,
    maxBytes: MAX_APDU_LOG_BYTES,
    bytesOf: ({ command, response }) => command.length + (response?.length ?? 0),
  });
  readonly #clock: Clock;
  readonly #sales: SaleLog | undefined;
  #presentation: Presentation | undefined;
  #reader = new ApduReader();
  #card = 0;

  /** @param sales knows which sale an exchange belongs to */
  constructor(clock: Clock, sales?: SaleLog) {
    this.#clock = clock;
    this.#sales = sales;
  }

  /** The same card, whose exchanges are read as they happen. */
  tap(card: Card, presentation: Presentation): Card {
    if (presentation !== this.#presentation) {
      this.#presentation = presentation;
      this.#card += 1;
    }
    return {
      reset: () => {
        this.#reader = new ApduReader();
        return card.reset();
      },
      transmit: async (command) => {
        const sent = Buffer.from(command);
        try {
          const response = await card.transmit(command);
          this.#add(sent, Buffer.from(response), presentation);
          return response;
        } catch (error) {
          this.#add(sent, undefined, presentation);
          throw error;
        }
      },
    };
  }

  #add(command: Buffer, response: Buffer | undefined, { definition }: Presentation): void {
    const read = this.#reader.read(command, response ?? Buffer.alloc(0));
    const pinAt = holdsPin(command) ? HEADER_BYTES : undefined;
    if (pinAt !== undefined) command.fill(0, pinAt);
    const card = { card: this.#card, cardName: definition.name };
    const about = { ...card, pinAt, command, response, read, ...this.#sales?.place };
    this.exchanges.add((number) => ({ number, atMs: this.#clock.nowMs(), ...about }));
  }
}

/** @param unmasked with the card data that the card gave in clear; a PIN is hidden always */
export function apduView(apdu: LoggedApdu, unmasked = false): ApduView {
  const { number, atMs, card, cardName, pinAt, command, response, read, sale, frame } = apdu;
  const hex = (bytes: Uint8Array): string => toHex(unmasked ? bytes : maskBytes(bytes));
  const sent = hex(command);
  return {
    number,
    at: new Date(atMs).toISOString(),
    card,
    cardName,
    name: read.name,
    command: pinAt === undefined ? sent : sent.slice(0, 2 * pinAt).padEnd(sent.length, '*'),
    response: response ? hex(response.subarray(0, -SW_BYTES)) : '',
    sw: response ? swText(response.readUInt16BE(response.length - SW_BYTES)) : '',
    meaning: response ? read.meaning : 'the card had gone',
    ...(sale !== undefined && { sale }),
    ...(frame !== undefined && { frame }),
  };
}

/** Data objects of the command and of the answer, card data masked. */
export function apduObjects({ read }: LoggedApdu): {
  readonly sent: readonly DescribedNode[];
  readonly received: readonly DescribedNode[];
} {
  const { sent, received } = read;
  return { sent, received };
}
