import { equalConstantTime, withSecret } from '@tillbridge/protocol/bytes.js';
import { retailMac } from '@tillbridge/protocol/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/protocol/crypto/key-block/test-keys.js';
import type { Dialect } from '@tillbridge/protocol/iso8583/dialects/dialects.js';
import {
  coveredByMac,
  macOf,
  packExchange,
  putMac,
  unpackExchange,
} from '@tillbridge/protocol/iso8583/exchange/exchange-codec.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import { Iso8583Error } from '@tillbridge/protocol/iso8583/iso8583-error.js';
import { framed, MessageFrames } from '@tillbridge/protocol/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { dayOf, type HostLedger } from '../ledger/host-ledger.js';
import type { HostFault, HostFaults } from './host-faults.js';
import { type ResponseRule, ruledBy } from './host-rules.js';

/** Longest message that the host takes, in bytes. */
export const HOST_MAX_MESSAGE_BYTES = 8_192;
/** Bytes in a row that are no message, or not from the gateway, until the line is cut. */
export const MAX_BAD_MESSAGES = 5;
/** What stands in place of an answer. */
const GARBAGE = Buffer.from('00fa5509ffee', 'hex');

/** What a line of the host shares with the others. */
export interface HostLine {
  readonly dialect: Dialect;
  readonly ledger: HostLedger;
  readonly faults: HostFaults;
  readonly rules: () => readonly ResponseRule[];
  readonly clock: Clock;
  /** Closes the settlement day; resolves with the next one. */
  readonly cutOver: () => Promise<string>;
  /** What came that is no message of a gateway; the reason never holds a value. */
  readonly onBad: (reason: string) => void;
  /** A fault of the host itself. */
  readonly onFault: (error: unknown) => void;
}

/** One connection of a gateway: takes messages, answers them, and meets the faults that a test has set. */
export class HostSession {
  readonly #line: HostLine;
  readonly #pipe: BytePipe;
  readonly #frames = new MessageFrames(HOST_MAX_MESSAGE_BYTES);
  #isSignedOn = false;
  #bad = 0;

  constructor(line: HostLine, pipe: BytePipe) {
    this.#line = line;
    this.#pipe = pipe;
    pipe.onData((bytes) => this.#received(bytes));
  }

  #received(bytes: Uint8Array): void {
    let messages: readonly Buffer[];
    try {
      messages = this.#frames.push(bytes);
    } catch (error) {
      if (!(error instanceof Iso8583Error)) throw error;
      this.#line.onBad(error.message);
      // Nobody knows where the next message begins.
      void this.#pipe.close();
      return;
    }
    for (const message of messages) void this.#take(message).catch((error) => this.#line.onFault(error));
  }

  async #take(bytes: Buffer): Promise<void> {
    const message = this.#read(bytes);
    if (message === undefined) return;
    const fault = this.#line.faults.take(message);
    if (fault?.name === 'lost') return;
    const answer = await this.#answer(message, fault);
    if (answer) await this.#send(answer, fault);
  }

  /** The message, or undefined for what is none of the gateway's. */
  #read(bytes: Buffer): ExchangeMessage | undefined {
    const { dialect, clock } = this.#line;
    try {
      const message = unpackExchange(dialect, bytes, clock.nowMs());
      if (message.isResponse) return this.#refuse('an answer to nothing');
      const mac = macOf(dialect, bytes);
      const expected = authenticationCode(coveredByMac(dialect, bytes)).subarray(0, mac?.length ?? 0);
      if (!mac || !equalConstantTime(mac, expected)) return this.#refuse('a wrong authentication code');
      this.#bad = 0;
      return message;
    } catch (error) {
      if (error instanceof Iso8583Error) return this.#refuse(error.message);
      throw error;
    }
  }

  #refuse(reason: string): undefined {
    this.#line.onBad(reason);
    this.#bad += 1;
    if (this.#bad >= MAX_BAD_MESSAGES) void this.#pipe.close();
  }

  async #answer(
    message: ExchangeMessage,
    fault: HostFault | undefined,
  ): Promise<ExchangeMessage | undefined> {
    if (message.kind === 'network') return this.#network(message);
    if (!this.#isSignedOn) return answerTo(message, { responseCode: '91' });
    const approveReversed = fault?.name === 'approve-after-reversal';
    const rules = ruledBy(this.#line.rules(), message);
    const answer = await this.#line.ledger.answer(message, { ...rules, approveReversed });
    return answer ?? answerTo(message, { responseCode: '12' });
  }

  async #network(message: ExchangeMessage): Promise<ExchangeMessage> {
    if (message.network === 'sign-on') this.#isSignedOn = true;
    if (message.network === 'sign-off') this.#isSignedOn = false;
    if (message.network === 'cut-over')
      return answerTo(message, { responseCode: '00', settlementDate: await this.#line.cutOver() });
    const isKnown = message.network === 'echo' || message.network?.startsWith('sign-');
    return answerTo(message, { responseCode: isKnown ? '00' : '12' });
  }

  async #send(answer: ExchangeMessage, fault: HostFault | undefined): Promise<void> {
    const bytes = framed(this.#sealed(answer));
    switch (fault?.name) {
      case 'silent':
        return;
      case 'late':
        this.#line.clock.setTimer(fault.delayMs, () => void this.#write(bytes));
        return;
      case 'garbage':
        return this.#write(framed(GARBAGE));
      case 'half-message':
        await this.#write(bytes.subarray(0, bytes.length >>> 1));
        return this.#pipe.close();
      case 'disconnect':
        return this.#pipe.close();
      case 'duplicate':
        return this.#write(Buffer.concat([bytes, bytes]));
      default:
        return this.#write(bytes);
    }
  }

  #sealed(answer: ExchangeMessage): Buffer {
    const { dialect } = this.#line;
    const bytes = packExchange(dialect, answer, true);
    putMac(dialect, bytes, authenticationCode(coveredByMac(dialect, bytes)));
    return bytes;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    // A gateway that went away asks again.
    await this.#pipe.write(bytes).catch(() => undefined);
  }
}

function authenticationCode(covered: Uint8Array): Buffer {
  return withSecret(developmentKey('zoneMacKey'), (key) => retailMac(key, covered, 'iso9797Method1'));
}

/** The day behind a settlement day; never before the day of the clock. */
export function nextDay(day: string, nowMs: number): string {
  const at = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)) + 1);
  const next = dayOf(at);
  const today = dayOf(nowMs);
  return today > next ? today : next;
}
