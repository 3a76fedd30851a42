import type { CapturedFrom } from '@tillbridge/wire/terminals/idtech/attribution.js';
import {
  COMMANDS,
  type CommandName,
  commandName,
  knowsCommand,
  NOTIFICATIONS,
  SWITCH_BITS,
} from '@tillbridge/wire/terminals/idtech/commands.js';
import type { NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import type { KeyName } from '@tillbridge/wire/terminals/idtech/key-state.js';
import { decodeKeyedRequest, type KeyedRequest } from '@tillbridge/wire/terminals/idtech/keyed-entry.js';
import {
  encodeOnLine,
  INITIAL_LINE_STATE,
  type NeoLine,
  parseLine,
} from '@tillbridge/wire/terminals/idtech/line.js';
import { encodePinAnswer, requirePinRequest } from '@tillbridge/wire/terminals/idtech/pin-entry.js';
import { COMPONENTS, CORNERS, encodeObjectEvent } from '@tillbridge/wire/terminals/idtech/screen.js';
import { KEYPAD_STATES, RESULTS, STATUSES } from '@tillbridge/wire/terminals/idtech/statuses.js';
import {
  encodeTransactionAnswer,
  resultObject,
} from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import {
  decodeActivate,
  decodeApplyHostResponse,
  decodeAuthenticate,
} from '@tillbridge/wire/terminals/idtech/transaction-commands.js';
import { StreamParser } from '@tillbridge/wire/terminals/parsed.js';
import type { LineStyle } from '../../faults/fault-registry.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import { statusByFailure } from '../core/failure.js';
import { type DeviceDeps, SimulatedDevice } from '../core/simulated-device.js';
import { Applications, parseStoredApplications } from './applications.js';
import { InstantCommands } from './instant-commands.js';
import { KeyIn } from './key-in.js';
import { lineStyleOf } from './line-style.js';
import { KEYPAD_ENDS, StatusError, statusOfFailure } from './step-error.js';
import { attributionOf } from './transaction-output.js';
import { type Step, type StepEnd, Transactions } from './transactions.js';

const EMPTY = Buffer.alloc(0);

/** An answer. Data that a card gave are an attribution byte and objects. */
interface Answer {
  readonly status: keyof typeof STATUSES;
  readonly data?: Buffer;
  readonly captured?: CapturedFrom;
}

/** The device side of NEO 2 as an ID TECH VP6800 shows it. */
export class Vp6800 extends SimulatedDevice {
  readonly deviceType = 'IDTECH_VP6800';
  /** Frames as they are, or in HID reports. */
  readonly #framing: NeoLine;
  readonly #keys: Readonly<Record<KeyName, DukptDevice>>;
  readonly #instant: InstantCommands;
  readonly #keyIn: KeyIn;
  readonly #transactions: Transactions;
  #running: CommandName | undefined;
  readonly #parser = new StreamParser(INITIAL_LINE_STATE, (state, bytes) =>
    parseLine(this.#framing, 'host', state, bytes),
  );
  #seated = false;

  constructor(deps: DeviceDeps) {
    super(deps);
    const { serial, transport, clock, slot } = deps;
    const { ui, core, pinKey, dataKey } = this;
    this.#framing = transport === 'serial' ? 'serial' : 'hid';
    this.#keys = { pin: pinKey, data: dataKey };
    const applications = new Applications(slot('applications', parseStoredApplications));
    this.#instant = new InstantCommands({
      serial,
      ui,
      keys: this.#keys,
      applications,
      powerOff: () => {
        this.#transactions.end();
        this.#lookAfterSlot();
      },
    });
    this.#keyIn = new KeyIn({
      serial,
      clock,
      ui,
      core,
      dataKey,
      open: () => this.#instant.open,
      tellCorner: () => this.#tellCorner(),
    });
    this.#transactions = new Transactions({
      serial,
      clock,
      ui,
      core,
      dataKey,
      applications,
      open: () => this.#instant.open,
      keyIn: this.#keyIn,
    });
    ui.watch(() => this.#tellSeat());
  }

  override get lineStyle(): LineStyle {
    return lineStyleOf(this.#framing);
  }

  /** A button press on the screen that no command requested. */
  unsolicited(): Uint8Array {
    const { command, second } = NOTIFICATIONS.objectEvent;
    const data = encodeObjectEvent({ component: COMPONENTS.largeButton, number: 0 }, 'TILL', 'TEXT');
    return Buffer.concat([...encodeOnLine(this.#framing, 'device', { command, second, data })]);
  }

  protected forget(): void {
    this.#parser.reset();
    this.#stopAll();
    this.#lookAfterSlot();
  }

  #stopAll(): void {
    this.stop();
    this.#running = undefined;
    this.#transactions.end();
  }

  protected receive(bytes: Uint8Array): void {
    for (const event of this.#parser.take(bytes)) if (event.kind === 'frame') this.#command(event.frame);
  }

  #command({ command, second, data }: NeoFrame): void {
    const name = commandName(command, second);
    if (name === undefined) {
      const status = knowsCommand(command) ? STATUSES.unknownSubCommand : STATUSES.unknownCommand;
      this.#send(command, status.code, EMPTY);
    } else if (name === 'cancel') this.#cancel();
    else if (name === 'cancelKeypad') this.#cancelKeypad();
    else if (this.program.running) this.#refuseBusy(name);
    else this.#start(name, data);
  }

  /** During the encrypted PIN entry any command but a cancel fails; during another command it is not allowed. */
  #refuseBusy(name: CommandName): void {
    this.#answer(name, this.#running === 'encryptedPin' ? 'failed' : 'notAllowed');
  }

  /** CANCEL TRANSACTION: a wait for a card ends with its own answer first, a contact step without one. */
  #cancel(): void {
    const stopped = this.#running;
    this.#stopAll();
    if (stopped === 'activate') {
      const objects = [resultObject(RESULTS.cancelled.code)];
      this.#answer('activate', this.#answerOf({ status: 'failed', captured: 'contact', objects }));
    }
    this.ui.clear();
    this.#answer('cancel', 'ok');
    this.#lookAfterSlot();
  }

  #cancelKeypad(): void {
    this.#answer('cancelKeypad', 'ok');
    if (this.#running !== 'encryptedPin') return;
    this.program.abort();
    this.#running = undefined;
    this.ui.clear();
    this.#answer('encryptedPin', keypadEnd(KEYPAD_STATES.cancelledByHost));
  }

  #start(name: CommandName, data: Buffer): void {
    try {
      switch (name) {
        case 'activate':
          this.#requireKeys();
          this.#runStep(name, this.#transactions.activate(decodeActivate(data)));
          return;
        case 'authenticate':
          this.#runStep(name, this.#transactions.authenticate(decodeAuthenticate(data)));
          return;
        case 'applyHostResponse':
          this.#runStep(name, this.#transactions.applyHostResponse(decodeApplyHostResponse(data)));
          return;
        case 'encryptedPin':
          this.#runKeypad(data);
          return;
        case 'keyedCard':
          this.#requireKeys();
          this.#runKeyIn(decodeKeyedRequest(data));
          return;
        default:
          this.#answer(name, { status: 'ok', data: this.#instant.answer(name, data) });
      }
    } catch (error) {
      const status = statusOfFailure(error);
      if (status === undefined) throw error;
      this.#answer(name, status);
    }
  }

  /** @throws StatusError tampered, secureInterface */
  #requireKeys(): void {
    if (this.health.tampered) throw new StatusError('tampered');
    if (this.#keys.data.condition !== 'loaded') throw new StatusError('secureInterface');
  }

  #runStep(name: CommandName, step: Step): void {
    this.#runToEnd(name, async (signal) => this.#answerOf(await step(signal)));
  }

  #runKeyIn(request: KeyedRequest): void {
    this.#transactions.end();
    this.#runToEnd('keyedCard', async (signal) => {
      const end = await this.#keyIn.run(request, signal);
      if (Buffer.isBuffer(end)) return { status: 'ok', data: end };
      return { status: end === 'timeout' ? 'timeout' : 'failed' };
    });
  }

  /** Runs a command that waits for the cardholder; an error ends it with a status. */
  #runToEnd(name: CommandName, work: (signal: AbortSignal) => Promise<Answer>): void {
    this.#begin(name, async (signal) => {
      try {
        return await work(signal);
      } catch (error) {
        const status = signal.aborted ? undefined : statusOfFailure(error);
        if (status === undefined) {
          if (signal.aborted) throw error;
          this.deps.onFault(error);
        }
        this.#transactions.end();
        this.ui.setState('idle');
        return { status: status ?? 'failed' };
      }
    });
  }

  #runKeypad(data: Buffer): void {
    this.#begin('encryptedPin', async (signal) => {
      try {
        requirePinRequest(data);
        const pin = await this.#transactions.encryptedPin(signal);
        // This entry cannot be skipped: a skipped PIN is answered as the cancel key.
        if (pin === 'skipped') return keypadEnd(KEYPAD_STATES.cancelKey);
        const answer = encodePinAnswer({ kind: 'pin', ksn: pin.ksn, block: pin.data });
        return { status: 'ok', data: answer };
      } catch (error) {
        if (error instanceof RangeError) return keypadEnd(KEYPAD_STATES.panError);
        const end = signal.aborted ? undefined : statusByFailure(error, KEYPAD_ENDS);
        if (end === undefined) throw error;
        return end === 'timeout' ? { status: end } : keypadEnd(end);
      }
    });
  }

  /** Sends the first answer of a command, runs it, and sends its result. */
  #begin(name: CommandName, work: (signal: AbortSignal) => Promise<Answer>): void {
    this.watch.abort();
    const { answers } = COMMANDS[name];
    if (answers === 'keypad') this.#answer(name, 'ok');
    else if (answers === 'accepted' && this.#instant.firstAnswers) this.#answer(name, 'accepted');
    this.#running = name;
    this.program.start(work, (answer) => {
      this.#running = undefined;
      this.#answer(name, answer);
      this.#lookAfterSlot();
    });
  }

  /** @param answer its status alone where it holds nothing */
  #answer(name: CommandName, answer: Answer | keyof typeof STATUSES): void {
    const whole: Answer = typeof answer === 'string' ? { status: answer } : answer;
    const { status, data = EMPTY, captured } = whole;
    const { code } = STATUSES[status];
    // A card in the slot ends ACTIVATE TRANSACTION with the command byte of the contact commands.
    const contact = name === 'activate' && status === 'ok' && captured === 'contact';
    this.#send(COMMANDS[contact ? 'authenticate' : name].command, code, data);
  }

  #answerOf({ status, captured, objects }: StepEnd): Answer {
    const attribution = attributionOf(captured, this.#keys.data);
    return { status, captured, data: encodeTransactionAnswer({ attribution, objects }) };
  }

  #send(command: number, second: number, data: Buffer): void {
    for (const bytes of encodeOnLine(this.#framing, 'device', { command, second, data })) {
      this.line.write(bytes);
    }
  }

  #tellCorner(): void {
    const { command, second } = NOTIFICATIONS.objectEvent;
    const held = { component: COMPONENTS.longPress, number: CORNERS.topRight };
    this.#send(command, second, encodeObjectEvent(held));
  }

  #tellSeat(): void {
    const seated = this.ui.inserted !== undefined;
    if (seated === this.#seated) return;
    this.#seated = seated;
    if (!this.#instant.tellsSeat) return;
    const { command, second } = NOTIFICATIONS.switches;
    this.#send(command, second, Buffer.of(seated ? SWITCH_BITS.cardSeated : 0));
  }

  /** Between transactions the display prompts to remove a card from the slot. */
  #lookAfterSlot(): void {
    if (!this.ui.inserted || !this.#transactions.idle || this.program.running || this.watch.running) return;
    this.watch.start(
      async (signal) => {
        await this.ui.waitForRemoval(signal);
        this.ui.setState('idle');
      },
      () => undefined,
    );
  }
}

function keypadEnd(state: number): Answer {
  return { status: 'failed', data: encodePinAnswer({ kind: 'state', state }) };
}
