import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Timer } from '@tillbridge/wire/seams/clock.js';
import { type CommandName, commandOf } from '@tillbridge/wire/terminals/magtek/commands.js';
import {
  DISPLAY_STRINGS,
  type DisplayStringName,
  displayText,
} from '@tillbridge/wire/terminals/magtek/display-strings.js';
import { lineFraming } from '@tillbridge/wire/terminals/magtek/line-framing.js';
import {
  decodeMessage,
  encodeNotification,
  encodeResponse,
  type MmsRequest,
  parameter,
  readParameters,
} from '@tillbridge/wire/terminals/magtek/message.js';
import {
  DEVICE_UPDATES,
  HOST_ACTIONS,
  NOTIFICATIONS,
  type OutcomeName,
  objectPayload,
  outcomeDetail,
  updateDetail,
} from '@tillbridge/wire/terminals/magtek/notifications.js';
import {
  decodeProperties,
  encodePropertyList,
  encodePropertyTree,
  type PropertyValue,
} from '@tillbridge/wire/terminals/magtek/properties.js';
import { decodeResume } from '@tillbridge/wire/terminals/magtek/resume-transaction.js';
import { decodeStart, type StartParameters } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import { STATUSES, SUMMARIES } from '@tillbridge/wire/terminals/magtek/statuses.js';
import { StreamParser } from '@tillbridge/wire/terminals/parsed.js';
import type { LineStyle } from '../../faults/fault-registry.js';
import { decodedOr } from '../core/decoded.js';
import { type DeviceDeps, SimulatedDevice } from '../core/simulated-device.js';
import { DeviceProperties, parseStoredSettings, serialDigits } from './device-properties.js';
import type { TransactionEnd } from './failure-outcomes.js';
import { lineStyleOf } from './line-style.js';
import { SelfReset } from './self-reset.js';
import { Transactions } from './transactions.js';

const EMPTY = Buffer.alloc(0);
/** From this charge down no transaction is started. */
const LOWEST_BATTERY_PERCENT = 5;
/** Between the command to reset and the reset. */
const RESET_DELAY_MS = 500;
/** How long a start of the device takes; what comes meanwhile is lost. */
const BOOT_MS = 1_000;
/** Value of the property: one notification after a reset. */
const TELL_ONCE = 0xff;
const TEMPERATURE_CELSIUS = '2D';
/** The text on the screen after a transaction, by outcome; `declined` for all others. */
const END_SCREENS: Partial<Record<OutcomeName, DisplayStringName>> = {
  approved: 'approved',
  offlineApproved: 'approved',
  manualDone: 'welcome',
};

/** The device side of MMS as a MagTek DynaFlex with touch screen shows it. */
export class DynaFlex extends SimulatedDevice {
  readonly deviceType = 'MAGTEK_DYNAFLEX';
  readonly #transport = this.deps.transport === 'serial' ? 'serial' : 'hid';
  readonly #framing = lineFraming(this.#transport, 'to-host');
  readonly #parser = new StreamParser(this.#framing.initial, this.#framing.parse);
  readonly #properties: DeviceProperties;
  readonly #transactions: Transactions;
  readonly #selfReset: SelfReset;
  #booting: Timer | undefined;
  readonly #commands: Readonly<Partial<Record<CommandName, (request: MmsRequest) => void>>> = {
    startTransaction: (request) => this.#start(request),
    resumeTransaction: (request) => this.#resume(request),
    cancelTransaction: (request) => this.#cancel(request),
    displayMessage: (request) => this.#display(request),
    resetDevice: (request) => {
      this.#respond(request, 'ok');
      this.deps.clock.setTimer(RESET_DELAY_MS, () => this.reset());
    },
    getProperty: (request) => this.#getProperty(request),
    setProperty: (request) => this.#setProperty(request),
    echo: (request) => this.#respond(request, 'ok', request.parameters),
  };

  constructor(deps: DeviceDeps) {
    super(deps);
    const { serial, clock, slot } = deps;
    const { ui, core, health, pinKey, dataKey } = this;
    const settings = slot('settings', parseStoredSettings);
    this.#properties = new DeviceProperties({ serial, health, pinKey, dataKey, settings });
    this.#transactions = new Transactions({
      ui,
      core,
      clock,
      output: { properties: this.#properties, dataKey, serial: this.#serial },
      tell: (technology, what, object) =>
        this.#notify(NOTIFICATIONS.transactionUpdate, updateDetail(technology, what), object),
    });
    this.#selfReset = new SelfReset({
      clock,
      warningMinutes: () => this.#properties.byte('resetWarning'),
      warn: (minutes) => this.#warnOfReset(minutes),
      reset: () => this.reset(),
    });
  }

  override get lineStyle(): LineStyle {
    return lineStyleOf(this.#transport);
  }

  override attach(pipe: BytePipe): void {
    super.attach(pipe);
    this.#selfReset.arm();
  }

  /** A temperature warning that no command requested. */
  unsolicited(): Uint8Array {
    const detail = DEVICE_UPDATES.temperatureHigh + TEMPERATURE_CELSIUS;
    const message = encodeNotification({ id: NOTIFICATIONS.deviceUpdate, detail, payload: EMPTY });
    return Buffer.concat(this.#framing.frames(message));
  }

  override reset(): void {
    super.reset();
    this.#selfReset.booted();
    this.#booting?.cancel();
    this.#booting = this.deps.clock.setTimer(BOOT_MS, () => {
      this.#booting = undefined;
      if (this.#properties.byte('resetNotification') === TELL_ONCE)
        this.#notify(NOTIFICATIONS.deviceUpdate, DEVICE_UPDATES.resetOccurred);
    });
  }

  protected forget(): void {
    this.#parser.reset();
    this.#selfReset.disarm();
    this.stop();
    this.#transactions.end();
  }

  #warnOfReset(minutes: number): void {
    const detail = DEVICE_UPDATES.resetSoon;
    this.#send(encodeNotification({ id: NOTIFICATIONS.deviceUpdate, detail, payload: Buffer.of(minutes) }));
  }

  protected receive(bytes: Uint8Array): void {
    if (this.#booting) return;
    for (const event of this.#parser.take(bytes)) {
      if (event.kind === 'message') this.#message(event.bytes);
    }
  }

  #message(bytes: Uint8Array): void {
    const message = decodedOr(
      () => decodeMessage(bytes),
      () => this.#respond({ reference: 0, command: 0 }, 'badMessage'),
    );
    if (message?.kind !== 'request') return;
    decodedOr(
      () => this.#perform(message),
      () => this.#respond(message, 'badParameter'),
    );
  }

  /** @throws TerminalFormatError */
  #perform(request: MmsRequest): void {
    const name = commandOf(request.command);
    const command = name && this.#commands[name];
    if (command) command(request);
    else this.#respond(request, 'notAvailable');
  }

  #start(request: MmsRequest): void {
    const refusal = this.#startRefusal();
    if (refusal) {
      this.#respond(request, refusal);
      return;
    }
    const start = decodeStart(request.parameters);
    if (!this.#canEncipherPin(start)) {
      this.#respond(request, 'pinKeyNotMapped');
      return;
    }
    this.watch.abort();
    this.#respond(request, 'ok', EMPTY, SUMMARIES.started);
    this.program.start(
      (signal) => this.#run(start, signal),
      (end) => this.#ended(end),
    );
  }

  /** The status of a key that is used up is from public sources incomplete: it is taken for one that is missing. */
  #startRefusal(): keyof typeof STATUSES | undefined {
    if (this.program.running) return 'transactionInProgress';
    if (this.dataKey.condition !== 'loaded') return 'offline';
    return this.health.batteryPercent <= LOWEST_BATTERY_PERCENT ? 'lowBattery' : undefined;
  }

  /** Format 4 belongs to AES keys, the others to TDES keys. */
  #canEncipherPin({ pinFormat }: StartParameters): boolean {
    return pinFormat === undefined || (pinFormat === 4) === (this.pinKey.algorithm === 'aes128');
  }

  async #run(start: StartParameters, signal: AbortSignal): Promise<TransactionEnd | 'right-button'> {
    try {
      return await this.#transactions.run(start, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.deps.onFault(error);
      return { technology: 'none', outcome: 'none' };
    }
  }

  #ended(end: TransactionEnd | 'right-button'): void {
    if (end === 'right-button') {
      this.ui.show([DISPLAY_STRINGS.pleaseWait.text]);
      this.#finish(NOTIFICATIONS.hostAction, HOST_ACTIONS.rightButton);
      return;
    }
    const { technology, outcome } = end;
    this.ui.show([DISPLAY_STRINGS[END_SCREENS[outcome] ?? 'declined'].text]);
    this.#finish(NOTIFICATIONS.transactionComplete, outcomeDetail(technology, outcome));
  }

  #finish(id: number, detail: string): void {
    this.#notify(id, detail);
    this.#transactions.end();
    if (this.ui.inserted) this.ui.show([...this.ui.screen, DISPLAY_STRINGS.removeCard.text]);
    this.watch.start(
      (signal) => this.#transactions.watchSlot(signal),
      () => undefined,
    );
  }

  #resume(request: MmsRequest): void {
    const answer = decodeResume(request.parameters);
    if (!this.program.running) this.#respond(request, 'noTransaction');
    else if (!this.#transactions.waitsForIssuer) this.#respond(request, 'wrongState');
    else if (!Buffer.from(answer.serial).equals(this.#serial)) this.#respond(request, 'badParameter');
    else {
      this.#respond(request, 'ok');
      this.#transactions.resume(answer);
    }
  }

  get #serial(): Buffer {
    return Buffer.from(serialDigits(this.deps.serial), 'latin1');
  }

  #cancel(request: MmsRequest): void {
    if (!this.program.running) {
      this.#respond(request, 'noTransaction');
      return;
    }
    if (!this.#transactions.canBeCancelled) {
      this.#respond(request, 'cannotCancel');
      return;
    }
    this.program.abort();
    this.#respond(request, 'ok');
    this.ui.show([DISPLAY_STRINGS.canceled.text]);
    this.#finish(NOTIFICATIONS.transactionComplete, outcomeDetail('none', 'cancelledByHost'));
  }

  #display(request: MmsRequest): void {
    if (this.program.running) {
      this.#respond(request, 'transactionInProgress');
      return;
    }
    const [id = DISPLAY_STRINGS.welcome.id] = parameter(readParameters(request.parameters), '82') ?? [];
    const text = displayText(id);
    if (text === undefined) this.#respond(request, 'badParameter');
    else {
      this.ui.show([text]);
      this.#respond(request, 'ok');
    }
  }

  #getProperty(request: MmsRequest): void {
    const { form, properties } = decodeProperties(request.parameters);
    const values = properties.flatMap(({ name }): PropertyValue[] =>
      name === undefined ? [] : [[name, this.#properties.get(name)]],
    );
    const known = values.length === properties.length;
    const encode = form === 'tree' ? encodePropertyTree : encodePropertyList;
    this.#respond(request, known ? 'ok' : 'badParameter', known ? encode(values) : EMPTY);
  }

  #setProperty(request: MmsRequest): void {
    const { properties } = decodeProperties(request.parameters);
    const set = properties.every(
      ({ name, value }) => name !== undefined && this.#properties.set(name, value),
    );
    this.#respond(request, set ? 'ok' : 'badParameter', set ? request.parameters : EMPTY);
  }

  #respond(
    { reference, command }: Pick<MmsRequest, 'reference' | 'command'>,
    name: keyof typeof STATUSES,
    parameters: Uint8Array = EMPTY,
    summary: number = name === 'ok' ? SUMMARIES.done : SUMMARIES.notStarted,
  ): void {
    const status = { summary, detail: STATUSES[name].code };
    const response = { reference, command, status, parameters: Buffer.from(parameters) };
    const bare = name !== 'ok' || summary === SUMMARIES.started;
    this.#send(encodeResponse(response, { bare }));
  }

  /** @param object of a transaction; it goes into the payload behind the notification's number */
  #notify(id: number, detail: string, object?: Uint8Array): void {
    const payload = object ? objectPayload(id, object) : EMPTY;
    this.#send(encodeNotification({ id, detail, payload }));
  }

  #send(message: Uint8Array): void {
    for (const frame of this.#framing.frames(message)) this.line.write(frame);
  }
}
