import { decodeCallbackAnswer, encodeCallback } from '@tillbridge/wire/terminals/newland/callbacks.js';
import {
  DATA_KEY_SLOT_OFFSET,
  decodeDisplay,
  encodeCoded,
  PRESENT_CARDS,
} from '@tillbridge/wire/terminals/newland/commands.js';
import {
  ACK,
  encodeFrame,
  type FrameEvent,
  INITIAL_FRAME_STATE,
  NAK,
  parseFrames,
} from '@tillbridge/wire/terminals/newland/frame.js';
import { FUNCTIONS, type FunctionName, functionName } from '@tillbridge/wire/terminals/newland/functions.js';
import { encodeTerminalConfig } from '@tillbridge/wire/terminals/newland/kernel-data.js';
import {
  answerType,
  decodeMessage,
  encodeMessage,
  MESSAGES,
  messageName,
  type NewlandMessage,
} from '@tillbridge/wire/terminals/newland/messages.js';
import {
  decodeComplete,
  decodePerform,
  encodeCompleteAnswer,
  encodePerformAnswer,
} from '@tillbridge/wire/terminals/newland/perform.js';
import {
  decodePinEntry,
  encodePinEntryAnswer,
  PIN_KEY_TYPES,
  type PinEntryRequest,
} from '@tillbridge/wire/terminals/newland/pin-entry.js';
import { RESPONSE_CODES } from '@tillbridge/wire/terminals/newland/statuses.js';
import { StreamParser } from '@tillbridge/wire/terminals/parsed.js';
import { decoded } from '../core/decoded.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import { type FailureTable, statusByFailure } from '../core/failure.js';
import { type DeviceDeps, SimulatedDevice } from '../core/simulated-device.js';
import { HostCallbacks } from './host-callbacks.js';
import { CommandError, errorOfFailure } from './l3-error.js';
import { functionAnswer, type QueryDeps, smallAnswer } from './queries.js';
import { Transactions } from './transactions.js';

const EMPTY = Buffer.alloc(0);
/** Failures that a command is refused for. */
const REFUSED: FailureTable<true> = { format: true, state: true, 'key-erased': true, 'key-exhausted': true };
const DEBUG_TEXT = 'L3 idle';

/** The device side of the Newland pin pad protocol as a P180 shows it. */
export class NewlandP180 extends SimulatedDevice {
  readonly deviceType = 'NEWLAND_P180';
  readonly #transactions: Transactions;
  readonly #callbacks: HostCallbacks;
  readonly #queries: QueryDeps;
  readonly #parser = new StreamParser(INITIAL_FRAME_STATE, parseFrames);

  constructor(deps: DeviceDeps) {
    super(deps);
    const { id, serial, clock, pinKeyIndex } = deps;
    const { ui, core, pinKey, dataKey } = this;
    const dataKeySlot = DATA_KEY_SLOT_OFFSET + deps.dataKeyIndex;
    this.#callbacks = new HostCallbacks(clock, (callback) =>
      this.#send(FUNCTIONS.callback.id, encodeCallback(callback)),
    );
    this.#transactions = new Transactions({
      ui,
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
  }

  /** Debug output, which the pad may send at any time. */
  unsolicited(): Uint8Array {
    const text = Buffer.from(DEBUG_TEXT, 'latin1');
    const data = Buffer.concat([encodeCoded(RESPONSE_CODES.ok), encodeTerminalConfig(text)]);
    return encodeFrame(encodeMessage(level3(FUNCTIONS.debugOutput.id, data)));
  }

  protected forget(): void {
    this.#parser.reset();
    this.stop();
    this.#transactions.end();
  }

  protected receive(bytes: Uint8Array): void {
    for (const event of this.#parser.take(bytes)) this.#take(event);
  }

  #take(event: FrameEvent): void {
    if (event.kind === 'cancel') {
      this.#transactions.cancel('card');
    } else if (event.kind === 'damaged') {
      this.line.write(Buffer.of(NAK));
    } else if (event.kind === 'frame') {
      this.#frame(event.data);
    }
  }

  #frame(data: Buffer): void {
    const message = decoded(() => decodeMessage(data));
    if (!message) {
      this.line.write(Buffer.of(NAK));
      return;
    }
    this.line.write(Buffer.of(ACK));
    const name = messageName(message.type);
    if (name === 'level3') this.#level3(message.body);
    else if (name === 'pinEntry') this.#enterPin(message);
    else if (name === 'reboot') this.#reboot(message);
    else if (name !== undefined && MESSAGES[name].reply === 'ack') this.#show(message);
    else this.#answer(message.type, () => this.#small(message));
  }

  /** REBOOT: the answer leaves, then the power is cycled. */
  #reboot({ type }: NewlandMessage): void {
    this.#answer(type, ok);
    this.reset();
  }

  /** A command whose whole answer is its confirmation. */
  #show({ type, body }: NewlandMessage): void {
    if (type !== MESSAGES.display.type || this.program.running) return;
    decoded(() => this.ui.show(decodeDisplay(body)));
  }

  /** PIN ENTRY with a card number. Its answer comes when the entry has ended. */
  #enterPin({ type, body }: NewlandMessage): void {
    const answer = (code: string, data?: Uint8Array): void =>
      this.#write({ type: answerType(type), body: encodeCoded(code, data) });
    const request = decoded(() => decodePinEntry(body));
    const key = this.#pinKeyOf(request);
    if (!request || !key || this.program.running) {
      answer(RESPONSE_CODES.refused);
      return;
    }
    this.watch.abort();
    this.program.start(
      (signal) => this.#pinBlock(request, key, signal),
      (block) => {
        if (block === 'cancelled') answer(RESPONSE_CODES.pinCancelled);
        else answer(RESPONSE_CODES.ok, encodePinEntryAnswer(block));
      },
    );
  }

  #pinKeyOf(request: PinEntryRequest | undefined): DukptDevice | undefined {
    const known = request?.keyType === PIN_KEY_TYPES.dukpt && request.keySlot === this.deps.pinKeyIndex;
    return known && this.pinKey.condition === 'loaded' ? this.pinKey : undefined;
  }

  async #pinBlock(
    { rows, timeoutSeconds, pan }: PinEntryRequest,
    key: DukptDevice,
    signal: AbortSignal,
  ): Promise<Buffer | undefined | 'cancelled'> {
    const prompt = { lines: rows, timeoutMs: timeoutSeconds * 1_000, allowBypass: true };
    try {
      const digits = await this.#transactions.enterPin(prompt, signal);
      return digits === 'bypass' ? undefined : key.encipherPin(digits, pan).data;
    } catch (error) {
      if (errorOfFailure(error) === undefined) throw error;
      return 'cancelled';
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

  /** Answers whether a card is in the slot; while one is, the display prompts for its removal. */
  #cardPresence(): Buffer {
    if (this.program.running) throw new CommandError('a transaction runs');
    if (!this.ui.inserted) return ok(Buffer.of(PRESENT_CARDS.none));
    if (!this.watch.running) {
      this.ui.show(['REMOVE CARD']);
      this.watch.start(
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
    // The pad goes on waiting for an answer that it can read.
    decoded(() => this.#callbacks.take(decodeCallbackAnswer(data)));
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
      if (this.program.running) throw new CommandError('a transaction runs');
      const request = decode();
      this.watch.abort();
      this.program.start(
        (signal) => work(request, signal),
        (answer) => this.#send(id, ok(answer)),
      );
      return undefined;
    });
  }

  #function(name: FunctionName | undefined, data: Buffer): Buffer {
    if (name === 'terminate') {
      this.program.abort();
      this.#transactions.end();
      return ok();
    }
    if (this.program.running) throw new CommandError('a transaction runs');
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
      if (!(error instanceof CommandError || statusByFailure(error, REFUSED))) throw error;
      return encodeCoded(RESPONSE_CODES.refused);
    }
  }

  #send(id: number, data: Buffer): void {
    this.#write(level3(id, data));
  }

  #write(message: NewlandMessage): void {
    this.line.write(encodeFrame(encodeMessage(message)));
  }
}

function level3(id: number, data: Uint8Array): NewlandMessage {
  return { type: answerType(MESSAGES.level3.type), body: Buffer.concat([Buffer.of(id), data]) };
}

function ok(data: Uint8Array = EMPTY): Buffer {
  return encodeCoded(RESPONSE_CODES.ok, data);
}
