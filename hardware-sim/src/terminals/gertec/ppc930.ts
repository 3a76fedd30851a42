import type { Timer } from '@tillbridge/wire/seams/clock.js';
import { CLASSIC_MESSAGE_LENGTH, displayMessage } from '@tillbridge/wire/terminals/abecs/classic.js';
import { type CommandId, commandSpec, missingField } from '@tillbridge/wire/terminals/abecs/commands.js';
import { FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { encodePacket, MAX_ABECS_DATA } from '@tillbridge/wire/terminals/abecs/framing.js';
import {
  type CommandMessage,
  decodeCommandMessage,
  ERROR_RESPONSE_ID,
  encodeResponseMessage,
} from '@tillbridge/wire/terminals/abecs/message.js';
import { encodeNotification } from '@tillbridge/wire/terminals/abecs/notification.js';
import { decodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { sealMessage } from '@tillbridge/wire/terminals/abecs/secure-packet.js';
import { ST_OK, statusCode } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { type DeviceDeps, SimulatedDevice } from '../core/simulated-device.js';
import { encipherBlock, getPin, getTracks } from './account-commands.js';
import { getEmvData, removeCard } from './card-commands.js';
import {
  close,
  closeExtended,
  display,
  displayExtended,
  dukptSerialNumber,
  information,
  informationByIndex,
  open,
} from './control-commands.js';
import {
  type CommandHandler,
  type DeviceAnswer,
  type DeviceContext,
  newDeviceSession,
} from './device-context.js';
import { type DeviceLinkEvent, deviceLink, INITIAL_LINK_STATE } from './device-link.js';
import { EmvTables, parseStoredTables } from './emv-tables.js';
import { checkEvent } from './event-command.js';
import { StatusError, statusOfFailure } from './failure-statuses.js';
import { finishChip } from './finish-chip-command.js';
import { getCard } from './get-card-command.js';
import { goOnChip } from './go-on-chip-command.js';
import { getClearData, menu } from './input-commands.js';
import { commandId, receivePacket } from './secure-channel.js';
import { beginTableLoad, endTableLoad, loadTableRecords, tableVersion } from './table-commands.js';

/** The commands that the device knows. */
const HANDLERS: Readonly<Record<string, CommandHandler>> = {
  OPN: open,
  GIN: informationByIndex,
  GIX: information,
  CLO: close,
  CLX: closeExtended,
  DSP: display,
  DEX: displayExtended,
  GDU: dukptSerialNumber,
  GTS: tableVersion,
  TLI: beginTableLoad,
  TLR: loadTableRecords,
  TLE: endTableLoad,
  CEX: checkEvent,
  GCD: getClearData,
  MNU: menu,
  EBX: encipherBlock,
  GCX: getCard,
  GED: getEmvData,
  GTK: getTracks,
  GPN: getPin,
  GOX: goOnChip,
  FCX: finishChip,
  RMC: removeCard,
};

/** The device side of ABECS 2.12 as a Gertec PPC930 shows it. */
export class Ppc930 extends SimulatedDevice {
  readonly deviceType = 'GERTEC_PPC930';
  readonly #device: DeviceContext;
  #link = INITIAL_LINK_STATE;
  #timer: Timer | undefined;

  constructor(deps: DeviceDeps) {
    super(deps);
    const { serial, clock, random, slot } = deps;
    this.#device = {
      serial,
      clock,
      random,
      ui: this.ui,
      tables: new EmvTables(slot('tables', parseStoredTables)),
      pinKey: { index: deps.pinKeyIndex, key: this.pinKey },
      dataKey: { index: deps.dataKeyIndex, key: this.dataKey },
      counters: this.counters,
      form: deps.form ?? 'published',
      onDecision: deps.inspection?.onDecision,
      session: newDeviceSession(),
      notify: (first, second) => this.#notify(first, second),
    };
  }

  /** A notification outside a command; a host treats it as late (ABECS 2.12 §2.2.2.2). */
  unsolicited(): Uint8Array {
    return encodePacket(encodeResponseMessage(encodeNotification(displayMessage('AGUARDE', ''))));
  }

  override reset(): void {
    this.program.abort();
    this.#device.session = newDeviceSession();
    super.reset();
    this.ui.setState('idle');
  }

  protected receive(bytes: Uint8Array): void {
    this.#feed({ kind: 'bytes', bytes });
  }

  protected forget(): void {
    this.#timer?.cancel();
    this.#link = INITIAL_LINK_STATE;
  }

  #feed(event: DeviceLinkEvent): void {
    const { state, effects } = deviceLink(this.#link, event);
    this.#link = state;
    for (const effect of effects) {
      switch (effect.kind) {
        case 'write':
          this.line.write(effect.bytes);
          break;
        case 'timer':
          this.#arm(effect.delayMs);
          break;
        case 'cancel':
          this.#cancel();
          break;
        case 'command':
          this.#receive(effect.data);
      }
    }
  }

  #arm(delayMs: number | undefined): void {
    this.#timer?.cancel();
    this.#timer =
      delayMs === undefined
        ? undefined
        : this.deps.clock.setTimer(delayMs, () => this.#feed({ kind: 'silence' }));
  }

  /** CAN: whatever runs ends without an answer (ABECS 2.12 §2.2.2.3). */
  #cancel(): void {
    if (this.program.abort()) this.#rest();
  }

  /** A valid packet ends a blocking command, too (ABECS 2.12 §6.2.1). */
  #receive(packet: Uint8Array): void {
    const received = receivePacket(this.#device.session.channelKey, packet);
    if (received.ends) this.#device.session = newDeviceSession();
    if (received.kind === 'refused') {
      const { id, status, ends } = received;
      if (this.program.abort() || ends) this.#rest();
      this.#answer(encodeResponseMessage({ id, status: statusCode(status), blocks: [] }));
      return;
    }
    const { data, answerKey } = received;
    this.program.start(
      (signal) => this.#execute(data, signal),
      (answer) => this.#answer(answer, answerKey),
    );
  }

  #answer(message: Uint8Array, channelKey?: Uint8Array): void {
    this.#feed({ kind: 'answer', data: channelKey ? sealMessage(channelKey, message) : message });
  }

  #notify(first: string, second = ''): void {
    if (!this.program.running) return;
    const message = displayMessage(first, second).slice(0, CLASSIC_MESSAGE_LENGTH);
    this.#answer(encodeResponseMessage(encodeNotification(message)), this.#device.session.channelKey);
  }

  async #execute(data: Uint8Array, signal: AbortSignal): Promise<Buffer> {
    const id = commandId(data);
    const handler = Object.hasOwn(HANDLERS, id) ? HANDLERS[id] : undefined;
    if (!handler) {
      return encodeResponseMessage({ id: ERROR_RESPONSE_ID, status: statusCode('ST_INVCALL'), blocks: [] });
    }
    try {
      const blocks = await this.#carryOut(decodeCommandMessage(data), handler, signal);
      const answer = encodeResponseMessage({ id, status: ST_OK, blocks });
      if (answer.length > MAX_ABECS_DATA) throw new StatusError('ST_RSPOVRFL');
      return answer;
    } catch (error) {
      if (commandSpec(id)?.blocking && !signal.aborted) this.#rest();
      return encodeResponseMessage({ id, status: this.#statusOf(error, signal), blocks: [] });
    }
  }

  /** After an error the display is empty and the device waits for the next command (ABECS 2.12 §6.9.1). */
  #rest(): void {
    this.ui.clear();
    this.ui.setState('idle');
  }

  async #carryOut(
    message: CommandMessage,
    handler: CommandHandler,
    signal: AbortSignal,
  ): Promise<DeviceAnswer> {
    const { id, blocks } = message;
    const abecs = commandSpec(id)?.style === 'abecs';
    const fields = new FieldReader(abecs ? decodeParameters(blocks) : []);
    if (abecs && missingField(id as CommandId, (name) => fields.has(name)) !== undefined) {
      throw new StatusError('ST_MANDAT');
    }
    return handler(this.#device, { id, blocks, fields, signal });
  }

  #statusOf(error: unknown, signal: AbortSignal): number {
    const face = this.ui.given?.how === 'tap' ? 'tap' : 'contact';
    const status = statusOfFailure(error, face, this.ui.inserted !== undefined);
    if (status === statusCode('ST_INTERR') && !signal.aborted) this.deps.onFault(error);
    return status;
  }
}
