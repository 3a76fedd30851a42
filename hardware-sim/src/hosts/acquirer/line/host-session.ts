import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import {
  type CodedMessage,
  packCoded,
  packExchange,
  unpackCoded,
} from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { readZoneKey, type ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { turnedForm } from '@tillbridge/wire/iso8583/line-form.js';
import { framed } from '@tillbridge/wire/iso8583/message-frames.js';
import { MessageIntake } from '@tillbridge/wire/iso8583/message-intake.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { HostKeys } from '../keys/host-keys.js';
import type { KeyForm } from '../keys/key-names.js';
import type { HostLedger } from '../ledger/host-ledger.js';
import type { HostFault, HostFaults } from './host-faults.js';
import { type ResponseRule, ruledBy } from './host-rules.js';

/** Longest wait for the gateway's answer to a message of the host, in milliseconds. */
const HOST_ASK_TIMEOUT_MS = 10_000;
/** What stands in place of an answer. */
const GARBAGE = Buffer.from('00fa5509ffee', 'hex');

/** Response code of a message without a field that the dialect requires. */
const FORMAT_ERROR = '30';

/** What a line of the host shares with the others. */
export interface HostLine {
  readonly dialect: Dialect;
  readonly keys: HostKeys;
  /** Whether messages have authentication codes. */
  readonly hasCodes: boolean;
  /** How it sends keys that gateways ask for. */
  readonly keyForm: () => KeyForm;
  readonly ledger: HostLedger;
  readonly faults: HostFaults;
  readonly rules: () => readonly ResponseRule[];
  readonly clock: Clock;
  /** Closes the settlement day, where it is this one or none is named; resolves with the next one. */
  readonly cutOver: (over?: string) => Promise<string>;
  /** What came that is no message of a gateway; the reason never holds a value. */
  readonly onBad: (reason: string) => void;
  /** A fault of the host itself. */
  readonly onFault: (error: unknown) => void;
}

/** One connection of a gateway: takes messages, answers them, and meets the faults that a test has set. */
export class HostSession {
  readonly #line: HostLine;
  readonly #pipe: BytePipe;
  readonly #intake: MessageIntake;
  /** Pending requests to the gateway, by number and time of the message. */
  readonly #pending = new Map<string, (answer: ExchangeMessage) => void>();
  #isSignedOn = false;
  #stan = 0;

  constructor(line: HostLine, pipe: BytePipe) {
    this.#line = line;
    this.#pipe = pipe;
    this.#intake = new MessageIntake(pipe, {
      line: line.dialect.line,
      take: (message) => this.#take(message),
      onBad: line.onBad,
      onFault: line.onFault,
    });
  }

  /** Whether the gateway has signed on, and the line stands. */
  get isSignedOn(): boolean {
    return this.#isSignedOn;
  }

  /** Calls the listener once when the line ends. */
  onEnd(listener: () => void): void {
    this.#pipe.onClose(listener);
  }

  /** Sends the gateway a network message; its answer, or undefined where none comes in time. */
  async ask(values: Pick<ExchangeMessage, 'network'> & Partial<ExchangeMessage>) {
    this.#stan += 1;
    const { clock } = this.#line;
    const message: ExchangeMessage = {
      ...values,
      kind: 'network',
      isAdvice: false,
      isResponse: false,
      isRepeat: false,
      stan: String(this.#stan).padStart(6, '0'),
      at: new Date(clock.nowMs()).toISOString().replace(/\D/g, '').slice(0, 14),
    };
    const key = numberOf(message);
    const answer = new Promise<ExchangeMessage | undefined>((resolve) => {
      const timer = clock.setTimer(HOST_ASK_TIMEOUT_MS, () => settle());
      const settle = (answer?: ExchangeMessage): void => {
        timer.cancel();
        this.#pending.delete(key);
        resolve(answer);
      };
      this.#pending.set(key, settle);
      this.#pipe.onClose(() => settle());
    });
    await this.#write(this.#framed(this.#sealed(message)));
    return answer;
  }

  async #take(bytes: Buffer): Promise<void> {
    const read = this.#read(bytes);
    if (read === undefined) return;
    const { message, missing } = read;
    if (message.isResponse) return this.#pending.get(numberOf(message))?.(message);
    const fault = this.#line.faults.take(message);
    if (fault?.name === 'lost') return;
    const isWhole = missing.length === 0 && this.#hasToken(message);
    const answer = isWhole
      ? await this.#answer(message, fault)
      : answerTo(message, { responseCode: FORMAT_ERROR });
    const { macKsn } = message;
    if (answer) await this.#send({ ...answer, ...(macKsn !== undefined && { macKsn }) }, fault);
  }

  /** The message and what it lacks, or undefined for what is none of the gateway's. */
  #read(bytes: Buffer): Pick<CodedMessage, 'message' | 'missing'> | undefined {
    const { dialect, clock, keys, hasCodes } = this.#line;
    try {
      const { message, covered, mac, missing } = unpackCoded(dialect, bytes, clock.nowMs());
      if (hasCodes && (!mac || !keys.isMacRight(covered, mac, message)))
        return this.#intake.refuse('a wrong authentication code');
      if (message.isResponse && !this.#pending.has(numberOf(message)))
        return this.#intake.refuse('an answer to nothing');
      this.#intake.accept();
      return { message, missing };
    } catch (error) {
      if (error instanceof Iso8583Error) return this.#intake.refuse(error.message);
      throw error;
    }
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
    return answer ? { ...answer, ...this.#tokenOf(message.stan) } : answerTo(message, { responseCode: '12' });
  }

  /** The token of a message, in each field that the dialect repeats. */
  #tokenOf(stan: string): Pick<ExchangeMessage, 'hostData'> {
    const { repeated } = this.#line.dialect;
    if (repeated.length === 0) return {};
    return { hostData: Object.fromEntries(repeated.map((field) => [field, `T${stan}`])) };
  }

  /** Whether a follow-up has the token of its original; a reversal has none where it never got the answer. */
  #hasToken({ original, kind, hostData }: ExchangeMessage): boolean {
    if (!original || (kind === 'reversal' && hostData === undefined)) return true;
    const { hostData: wanted = {} } = this.#tokenOf(original.stan);
    return Object.entries(wanted).every(([field, token]) => hostData?.[field] === token);
  }

  async #network(message: ExchangeMessage): Promise<ExchangeMessage> {
    if (message.network === 'sign-on') this.#isSignedOn = true;
    if (message.network === 'sign-off') this.#isSignedOn = false;
    if (message.network === 'cut-over' && !this.#isSignedOn) return answerTo(message, { responseCode: '91' });
    if (message.network === 'cut-over')
      return answerTo(message, {
        responseCode: '00',
        settlementDate: await this.#line.cutOver(message.settlementDate),
      });
    if (message.network === 'key-exchange') return this.#newKey(message);
    const isKnown = message.network === 'echo' || message.network?.startsWith('sign-');
    return answerTo(message, { responseCode: isKnown ? '00' : '12' });
  }

  /** The new key that a gateway requests; 30 where it does not state for which use, 91 where it has not signed on. */
  #newKey(message: ExchangeMessage): ExchangeMessage {
    const use = useOf(message);
    if (!this.#isSignedOn) return answerTo(message, { responseCode: '91' });
    if (use === undefined) return answerTo(message, { responseCode: '30' });
    const { keys, keyForm } = this.#line;
    return answerTo(message, { responseCode: '00', ...keys.offer(use, keyForm()) });
  }

  async #send(answer: ExchangeMessage, fault: HostFault | undefined): Promise<void> {
    const bytes = this.#framed(this.#sealed(answer));
    switch (fault?.name) {
      case 'silent':
        return;
      case 'late':
        this.#line.clock.setTimer(fault.delayMs, () => void this.#write(bytes));
        return;
      case 'garbage':
        return this.#write(this.#framed(GARBAGE));
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
    const { dialect, keys, hasCodes } = this.#line;
    if (!hasCodes) return packExchange(dialect, answer, false);
    const named = keys.prepare(answer);
    const { bytes, covered, putCode } = packCoded(dialect, named);
    putCode(keys.mac(covered, named));
    return bytes;
  }

  #framed(message: Uint8Array): Buffer {
    return framed(message, turnedForm(this.#line.dialect.line));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    // A gateway that went away requests the key again.
    await this.#pipe.write(bytes).catch(() => undefined);
  }
}

function numberOf({ stan, at }: Pick<ExchangeMessage, 'stan' | 'at'>): string {
  return `${stan}/${at}`;
}

function useOf({ zoneKey = '' }: ExchangeMessage): ZoneKeyUse | undefined {
  try {
    return readZoneKey(zoneKey).use;
  } catch (error) {
    if (error instanceof Iso8583Error) return undefined;
    throw error;
  }
}
