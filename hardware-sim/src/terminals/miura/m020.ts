import { decodeTlv, encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeCardStatus } from '@tillbridge/wire/terminals/miura/card-status.js';
import {
  CARD_STATUS_P1,
  COMMANDS,
  type CommandName,
  type DecodedCommand,
  decodeCommand,
  KEYBOARD_STATUS_ON,
  SPOOL_P1,
} from '@tillbridge/wire/terminals/miura/commands.js';
import {
  encodeMessagePackets,
  INITIAL_PACKET_STATE,
  parsePackets,
} from '@tillbridge/wire/terminals/miura/packet.js';
import { encodeCardReport, encodeKeyReport } from '@tillbridge/wire/terminals/miura/reports.js';
import { encodeResponse } from '@tillbridge/wire/terminals/miura/responses.js';
import { STATUSES } from '@tillbridge/wire/terminals/miura/statuses.js';
import { KEYS, P2PE_STATUS, TAGS, TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import { StreamParser } from '@tillbridge/wire/terminals/parsed.js';
import { decoded } from '../core/decoded.js';
import { dateAndTime } from '../core/sale-inputs.js';
import { type DeviceDeps, SimulatedDevice } from '../core/simulated-device.js';
import type { KeyedInput } from '../core/terminal-ui.js';
import { StatusError, statusOfFailure } from './status-error.js';
import { Transactions } from './transactions.js';

const EMPTY = Buffer.alloc(0);
const ANSWER_TO_RESET = Buffer.from('3B80800101', 'hex');
const ON_MAINS = 0x01;
const SOFTWARE = [
  ['M020-MPI', '1-50'],
  ['M020-OS', '7-10'],
] as const;

/** The device side of MPI as a Miura M020 shows it. */
export class MiuraM020 extends SimulatedDevice {
  readonly deviceType = 'MIURA_M020';
  readonly #transactions: Transactions;
  readonly #parser = new StreamParser(INITIAL_PACKET_STATE, parsePackets);
  #reports = 0;
  #tellsKeys = false;
  readonly #spool: string[] = [];

  constructor(deps: DeviceDeps) {
    super(deps);
    const { ui, core, dataKey } = this;
    ui.tellKey = (input) => this.#tellKey(input);
    this.#transactions = new Transactions({
      ui,
      core,
      dataKey,
      tell: (report) => this.#tell(report),
      tellSlot: () => this.#tellSlot(),
    });
  }

  /** A key that is pressed while no command runs. */
  #tellKey({ kind }: KeyedInput): boolean {
    if (!this.#tellsKeys || this.program.running) return false;
    this.line.write(unsolicited(encodeKeyReport(kind === 'entered' ? KEYS.enter : KEYS.cancel)));
    return true;
  }

  /** A key press that no command requested. */
  unsolicited(): Uint8Array {
    return unsolicited(encodeKeyReport(KEYS.enter));
  }

  protected forget(): void {
    this.#parser.reset();
    this.#reports = 0;
    this.#tellsKeys = false;
    this.stop();
    this.#transactions.end();
  }

  protected receive(bytes: Uint8Array): void {
    for (const event of this.#parser.take(bytes)) {
      if (event.kind === 'damaged') this.#damaged();
      else if (!event.message.unsolicited) this.#command(event.message.apdu);
    }
  }

  /** A packet with a wrong check is answered as unsolicited (host code of the maker). */
  #damaged(): void {
    this.line.write(unsolicited(encodeResponse({ data: EMPTY, sw: STATUSES.damagedCommand.code })));
  }

  #command(apdu: Buffer): void {
    const command = decoded(() => decodeCommand(apdu));
    if (!command) {
      this.#answer(EMPTY, STATUSES.wrongLength.code);
      return;
    }
    const name = command.command;
    if (name === undefined) this.#answer(EMPTY, STATUSES.unknownCommand.code);
    else if (name === 'abort') this.#abort();
    else if (this.program.running) this.#answer(EMPTY, STATUSES.notAllowed.code);
    else this.#start(name, command);
  }

  /** ABORT: what runs ends as cancelled, then the abort is answered. */
  #abort(): void {
    if (this.program.abort()) this.#answer(EMPTY, STATUSES.cancelled.code);
    this.#transactions.abort();
    this.ui.setState('idle');
    this.#answer(EMPTY, STATUSES.ok.code);
    this.#lookAfterSlot();
  }

  #start(name: CommandName, command: DecodedCommand): void {
    if (!COMMANDS[name].blocking) {
      this.#answerNow(name, command);
      return;
    }
    this.watch.abort();
    this.program.start(
      (signal) => this.#execute(name, command, signal),
      ({ data, sw }) => {
        this.#answer(data, sw);
        this.#lookAfterSlot();
      },
    );
  }

  async #execute(
    name: CommandName,
    { data }: DecodedCommand,
    signal: AbortSignal,
  ): Promise<{ readonly data: Uint8Array; readonly sw: number }> {
    const face = name === 'startContactless' ? 'tap' : 'contact';
    try {
      const objects = commandObjects(data);
      return { data: await this.#transactions.run(name, objects, signal), sw: STATUSES.ok.code };
    } catch (error) {
      const sw = statusOfFailure(error, face);
      if (sw === undefined) {
        if (signal.aborted) throw error;
        this.deps.onFault(error);
      }
      this.#transactions.failed(name);
      return { data: EMPTY, sw: sw ?? STATUSES.tapHardware.code };
    }
  }

  #answerNow(name: CommandName, command: DecodedCommand): void {
    switch (name) {
      case 'reset':
        this.reset();
        this.#answer(identity(this.deps.serial), STATUSES.ok.code);
        break;
      case 'cardStatus':
        // What the watch looks for may be something else now.
        if (command.p1 !== this.#reports && this.watch.abort()) this.#transactions.rest();
        this.#reports = command.p1 | CARD_STATUS_P1.unsolicited;
        this.#tellSlot();
        this.#reports = command.p1;
        this.#lookAfterSlot();
        break;
      case 'keyboardStatus':
        this.#tellsKeys = command.p1 === KEYBOARD_STATUS_ON;
        this.#answer(EMPTY, STATUSES.ok.code);
        break;
      case 'displayText':
        this.ui.show(Buffer.from(command.data).toString('utf8').split('\n'));
        this.#answer(EMPTY, STATUSES.ok.code);
        break;
      case 'spoolPrint':
        this.#spoolPrint(command);
        break;
      case 'batteryStatus':
        this.#answerObjects([
          tlv(TAGS.chargingStatus, Buffer.of(ON_MAINS)),
          tlv(TAGS.batteryStatus, Buffer.of(this.health.batteryPercent)),
        ]);
        break;
      case 'clock':
        this.#answerObjects(this.#clockObjects());
        break;
      case 'p2peStatus':
        this.#answerObjects([tlv(TAGS.p2peStatus, Buffer.of(this.#keyStatus()))]);
        break;
      default:
        this.#answer(EMPTY, STATUSES.ok.code);
    }
  }

  /** Texts gather in the spool until it is printed. */
  #spoolPrint({ p1, data }: DecodedCommand): void {
    if (p1 === SPOOL_P1.add) this.#spool.push(...Buffer.from(data).toString('utf8').split('\n'));
    else this.ui.print(this.#spool.splice(0));
    this.#answer(EMPTY, STATUSES.ok.code);
  }

  #clockObjects(): TlvNode[] {
    const { date, time } = dateAndTime(this.deps.clock.nowMs());
    return [tlv('9A', Buffer.from(date, 'hex')), tlv('9F21', Buffer.from(time, 'hex'))];
  }

  #keyStatus(): number {
    const { initialised, pinReady, sredReady } = P2PE_STATUS;
    const pin = this.pinKey.condition === 'loaded' ? pinReady : 0;
    return initialised | pin | (this.dataKey.condition === 'loaded' ? sredReady : 0);
  }

  #answerObjects(objects: readonly TlvNode[]): void {
    this.#answer(encodeTlv([tlv(TEMPLATES.responseData, objects)]), STATUSES.ok.code);
  }

  #answer(data: Uint8Array, sw: number): void {
    const apdu = encodeResponse({ data, sw });
    this.line.write(encodeMessagePackets({ node: 'mpi', unsolicited: false, apdu }));
  }

  #tell(report: Buffer): void {
    if ((this.#reports & CARD_STATUS_P1.unsolicited) === 0) return;
    this.line.write(unsolicited(report));
  }

  #tellSlot(): void {
    const { inserted } = this.ui;
    const emvCompatible = inserted !== undefined && inserted.definition.muteChip !== true;
    const status = { present: inserted !== undefined, emvCompatible, magstripe: false };
    const wanted = emvCompatible && (this.#reports & CARD_STATUS_P1.atr) !== 0;
    const atr = wanted ? [tlv(TAGS.answerToReset, ANSWER_TO_RESET)] : [];
    this.#tell(encodeCardReport([tlv(TAGS.cardStatus, encodeCardStatus(status)), ...atr]));
  }

  /**
   * Between commands the device watches slot and magstripe reader, if the host enabled their notifications. A host that wants
   * to know of the slot alone waits for it to be empty: people keep their cards until it prompts for one.
   */
  #lookAfterSlot(): void {
    if ((this.#reports & CARD_STATUS_P1.unsolicited) === 0 || this.program.running || this.watch.running)
      return;
    const { track1, track2, track3 } = CARD_STATUS_P1;
    const cards = (this.#reports & (track1 | track2 | track3)) !== 0;
    const tellKey = (key: number): void => this.#tell(encodeKeyReport(key));
    this.watch.start(
      (signal) =>
        cards ? this.#transactions.watchCards(signal, tellKey) : this.#transactions.watchSlot(signal),
      () => undefined,
    );
  }
}

function unsolicited(apdu: Buffer): Buffer {
  return encodeMessagePackets({ node: 'mpi', unsolicited: true, apdu });
}

/** The objects of E0. @throws StatusError invalidData; TlvError */
function commandObjects(data: Uint8Array): readonly TlvNode[] {
  const [node] = decodeTlv(data);
  if (node?.tag !== TEMPLATES.commandData || !('children' in node)) throw new StatusError('invalidData');
  return node.children;
}

function identity(serial: string): Buffer {
  const text = (tag: string, value: string): TlvNode => tlv(tag, Buffer.from(value, 'latin1'));
  const software = SOFTWARE.map(([name, version]) =>
    tlv(TEMPLATES.softwareInformation, [text(TAGS.identifier, name), text(TAGS.version, version)]),
  );
  return encodeTlv([tlv(TEMPLATES.responseData, [text('9F1E', serial), ...software])]);
}
