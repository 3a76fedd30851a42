import { CryptoError } from '@tillbridge/protocol/crypto/ciphers/errors.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { decodeCallbackAnswer, encodeCallback } from '@tillbridge/protocol/terminals/newland/callbacks.js';
import {
  DATA_KEY_SLOT_OFFSET,
  decodeDisplay,
  encodeCoded,
  PRESENT_CARDS,
} from '@tillbridge/protocol/terminals/newland/commands.js';
import {
  ACK,
  encodeFrame,
  type FrameEvent,
  INITIAL_FRAME_STATE,
  NAK,
  parseFrames,
} from '@tillbridge/protocol/terminals/newland/frame.js';
import {
  FUNCTIONS,
  type FunctionName,
  functionName,
} from '@tillbridge/protocol/terminals/newland/functions.js';
import { encodeTerminalConfig } from '@tillbridge/protocol/terminals/newland/kernel-data.js';
import {
  answerType,
  decodeMessage,
  encodeMessage,
  MESSAGES,
  messageName,
  type NewlandMessage,
} from '@tillbridge/protocol/terminals/newland/messages.js';
import {
  decodeComplete,
  decodePerform,
  encodeCompleteAnswer,
  encodePerformAnswer,
} from '@tillbridge/protocol/terminals/newland/perform.js';
import { RESPONSE_CODES } from '@tillbridge/protocol/terminals/newland/statuses.js';
import type { DeviceFaultName } from '../../faults/fault.js';
import { StateError, type StateSlot } from '../../state/state-slot.js';
import { DeviceHealth } from '../core/device-health.js';
import { DeviceProgram } from '../core/device-program.js';
import { DukptDevice, type DukptState, KeyErased } from '../core/dukpt-device.js';
import { FrameLog } from '../core/frame-log.js';
import { HostLine } from '../core/host-line.js';
import { type CoreCounters, PaymentCore } from '../core/payment-core.js';
import type { FrameView, SimulatedDevice } from '../core/simulated-device.js';
import { DEVELOPMENT_PLACE } from '../core/terminal-applications.js';
import { TerminalUi } from '../core/terminal-ui.js';
import { answerText, requestText } from './frame-text.js';
import { HostCallbacks } from './host-callbacks.js';
import { CommandError } from './l3-error.js';
import { functionAnswer, type QueryParts, smallAnswer } from './queries.js';
import { Transactions } from './transactions.js';

/** What a Newland P180 is made of. */
export interface NewlandP180Options {
  readonly id: string;
  readonly serial: string;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a card or PIN given ahead of time is kept ready. */
  readonly presentAheadMs: number;
  readonly ksnPin: Uint8Array;
  readonly ksnData: Uint8Array;
  readonly pinKeyIndex: number;
  /** The data key's slot is this above 128. */
  readonly dataKeyIndex: number;
  readonly pinSlot: StateSlot<DukptState>;
  readonly dataSlot: StateSlot<DukptState>;
  readonly counters: StateSlot<CoreCounters>;
  /** Told of faults that no answer describes, for the log. */
  readonly onFault: (error: unknown) => void;
}

const EMPTY = Buffer.alloc(0);
const DEBUG_TEXT = 'L3 idle';

/** The device side of the Newland pin pad protocol as a P180 shows it. */
export class NewlandP180 implements SimulatedDevice {
  readonly id: string;
  readonly deviceType = 'NEWLAND_P180';
  readonly ui: TerminalUi;
  readonly lineStyle = {};
  readonly #line: HostLine;
  readonly #log: FrameLog;
  readonly #health: DeviceHealth;
  readonly #transactions: Transactions;
  readonly #callbacks: HostCallbacks;
  readonly #queries: QueryParts;
  /** The transaction that runs. */
  readonly #program: DeviceProgram;
  /** The wait for a card to leave the slot, between commands. */
  readonly #removal: DeviceProgram;
  #parser = INITIAL_FRAME_STATE;

  constructor(options: NewlandP180Options) {
    const { id, serial, clock, random, presentAheadMs, pinKeyIndex, dataKeyIndex, counters, onFault } =
      options;
    this.id = id;
    this.#log = new FrameLog(clock);
    this.ui = new TerminalUi({ clock, aheadMs: presentAheadMs });
    const pinKey = new DukptDevice(options.pinSlot, 'bdkPin', options.ksnPin, random);
    const dataKey = new DukptDevice(options.dataSlot, 'bdkData', options.ksnData, random);
    const dataKeySlot = DATA_KEY_SLOT_OFFSET + dataKeyIndex;
    this.#health = new DeviceHealth([pinKey, dataKey]);
    const core = new PaymentCore({
      serial,
      terminalId: id,
      ui: this.ui,
      random,
      pinKey,
      counters,
      place: DEVELOPMENT_PLACE,
    });
    this.#callbacks = new HostCallbacks(clock, (callback) =>
      this.#send(FUNCTIONS.callback.id, encodeCallback(callback)),
    );
    this.#transactions = new Transactions({
      ui: this.ui,
      core,
      callbacks: this.#callbacks,
      pinKeySlot: pinKeyIndex,
    });
    this.#queries = {
      id,
      serial,
      keys: new Map([
        [pinKeyIndex, pinKey],
        [dataKeySlot, dataKey],
      ]),
      kernel: {
        core,
        dataKey,
        dataKeySlot,
        keyedIn: () => this.#transactions.keyedIn,
        scriptResults: () => this.#transactions.scriptResults,
      },
    };
    this.#program = new DeviceProgram(onFault);
    this.#removal = new DeviceProgram(onFault);
    this.#line = new HostLine({ onBytes: (bytes) => this.#receive(bytes), onChange: () => this.#stop() });
  }

  get frames(): readonly FrameView[] {
    return this.#log.frames;
  }

  attach(pipe: BytePipe): void {
    this.#line.attach(pipe);
  }

  /** Debug output, which the pad may send at any time. */
  unsolicited(): Uint8Array {
    const text = Buffer.from(DEBUG_TEXT, 'latin1');
    const data = Buffer.concat([encodeCoded(RESPONSE_CODES.ok), encodeTerminalConfig(text)]);
    return encodeFrame(encodeMessage(level3(FUNCTIONS.debugOutput.id, data)));
  }

  setDeviceFaults(faults: readonly DeviceFaultName[]): void {
    this.#health.lay(faults);
  }

  reset(): void {
    this.#stop();
    this.ui.clear();
  }

  #stop(): void {
    this.#parser = INITIAL_FRAME_STATE;
    this.#program.abort();
    this.#removal.abort();
    this.#transactions.end();
  }

  #receive(bytes: Uint8Array): void {
    const { state, events } = parseFrames(this.#parser, bytes);
    this.#parser = state;
    for (const event of events) this.#take(event);
  }

  #take(event: FrameEvent): void {
    if (event.kind === 'cancel') {
      this.#log.add('in', '+++CANCEL');
      this.#transactions.cancel('card');
    } else if (event.kind === 'damaged') {
      this.#line.write(Buffer.of(NAK));
    } else if (event.kind === 'frame') {
      this.#frame(event.data);
    }
  }

  #frame(data: Buffer): void {
    let message: NewlandMessage;
    try {
      message = decodeMessage(data);
    } catch (error) {
      if (!(error instanceof TerminalFormatError)) throw error;
      this.#line.write(Buffer.of(NAK));
      return;
    }
    this.#log.add('in', requestText(message));
    this.#line.write(Buffer.of(ACK));
    const name = messageName(message.type);
    if (name === 'level3') this.#level3(message.body);
    else if (name !== undefined && MESSAGES[name].reply === 'ack') this.#show(message);
    else this.#answer(message.type, () => this.#small(message));
  }

  /** A command whose whole answer is its confirmation. */
  #show({ type, body }: NewlandMessage): void {
    if (type !== MESSAGES.display.type || this.#program.running) return;
    try {
      this.ui.show(decodeDisplay(body));
    } catch (error) {
      if (!(error instanceof TerminalFormatError)) throw error;
    }
  }

  #small({ type, body }: NewlandMessage): Buffer {
    const name = messageName(type);
    if (name === 'cancelPin') {
      this.#transactions.cancel('pin');
      return ok();
    }
    if (name === 'cardPresence') return this.#cardPresence();
    return smallAnswer(this.#queries, name, body);
  }

  /** Tells whether a card is there; while one is, the pad asks for it to be taken out. */
  #cardPresence(): Buffer {
    if (this.#program.running) throw new CommandError('a transaction runs');
    if (!this.ui.inserted) return ok(Buffer.of(PRESENT_CARDS.none));
    if (!this.#removal.running) {
      this.ui.show(['REMOVE CARD']);
      this.#removal.start(
        (signal) => this.ui.waitForRemoval(signal),
        () => this.ui.setState('idle'),
      );
    }
    return ok(Buffer.of(PRESENT_CARDS.contact));
  }

  #level3(body: Buffer): void {
    const [id = 0] = body;
    const name = functionName(id);
    const data = body.subarray(1);
    if (name === 'callback') this.#callbackAnswer(data);
    else if (name === 'perform') this.#perform(data);
    else if (name === 'complete') this.#complete(data);
    else this.#answerFunction(id, () => this.#function(name, data));
  }

  #callbackAnswer(data: Buffer): void {
    try {
      this.#callbacks.answered(decodeCallbackAnswer(data));
    } catch (error) {
      // The pad goes on waiting for an answer that it can read.
      if (!(error instanceof TerminalFormatError)) throw error;
    }
  }

  #perform(data: Buffer): void {
    this.#run(
      FUNCTIONS.perform.id,
      () => decodePerform(data),
      async (request, signal) => encodePerformAnswer(await this.#transactions.perform(request, signal)),
    );
  }

  #complete(data: Buffer): void {
    this.#run(
      FUNCTIONS.complete.id,
      () => decodeComplete(data),
      async (request) => encodeCompleteAnswer(await this.#transactions.complete(request)),
    );
  }

  /** Starts what takes its time; its answer comes when it has ended. */
  #run<T>(id: number, decode: () => T, work: (request: T, signal: AbortSignal) => Promise<Buffer>): void {
    this.#answerFunction(id, () => {
      if (this.#program.running) throw new CommandError('a transaction runs');
      const request = decode();
      this.#removal.abort();
      this.#program.start(
        (signal) => work(request, signal),
        (answer) => this.#send(id, ok(answer)),
      );
      return undefined;
    });
  }

  #function(name: FunctionName | undefined, data: Buffer): Buffer {
    if (name === 'terminate') {
      this.#program.abort();
      this.#transactions.end();
      return ok();
    }
    if (this.#program.running) throw new CommandError('a transaction runs');
    return ok(functionAnswer(this.#queries, name, data));
  }

  #answer(type: string, work: () => Buffer): void {
    this.#write({ type: answerType(type), body: this.#attempt(work) ?? EMPTY });
  }

  #answerFunction(id: number, work: () => Buffer | undefined): void {
    const body = this.#attempt(work);
    if (body) this.#send(id, body);
  }

  #attempt(work: () => Buffer | undefined): Buffer | undefined {
    try {
      return work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return encodeCoded(RESPONSE_CODES.refused);
    }
  }

  #send(id: number, data: Buffer): void {
    this.#write(level3(id, data));
  }

  #write(message: NewlandMessage): void {
    this.#log.add('out', answerText(message));
    this.#line.write(encodeFrame(encodeMessage(message)));
  }
}

function isRefusal(error: unknown): boolean {
  if (error instanceof CommandError || error instanceof TerminalFormatError) return true;
  if (error instanceof KeyErased || error instanceof StateError) return true;
  return error instanceof CryptoError && error.rule === 'counterExhausted';
}

function level3(id: number, data: Uint8Array): NewlandMessage {
  return { type: answerType(MESSAGES.level3.type), body: Buffer.concat([Buffer.of(id), data]) };
}

function ok(data: Uint8Array = EMPTY): Buffer {
  return encodeCoded(RESPONSE_CODES.ok, data);
}
