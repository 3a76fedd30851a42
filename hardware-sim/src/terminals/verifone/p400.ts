import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { ABORT_P2, COMMANDS, commandOf, REBOOT_P2 } from '@tillbridge/wire/terminals/verifone/commands.js';
import { encodeTypeA } from '@tillbridge/wire/terminals/verifone/frame-a.js';
import { encodeTypeB } from '@tillbridge/wire/terminals/verifone/frame-b.js';
import {
  decodeCommand,
  decodeContainer,
  EMV_REQUEST,
  encodeContainer,
  encodeStatus,
  isReply,
  NOTIFY_CALLBACK,
  type SdiCommand,
} from '@tillbridge/wire/terminals/verifone/messages.js';
import { STATUSES } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { COL_CONTAINER, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { decoded } from '../core/decoded.js';
import { type DeviceDeps, SimulatedDevice } from '../core/simulated-device.js';
import { CardStore } from './card-store.js';
import type { DeviceContext } from './device-context.js';
import { DeviceLine } from './device-line.js';
import { HANDLERS, type ProgramName, placeOf, SAFE_COMMANDS } from './handlers.js';
import { HostProfiles } from './host-profiles.js';
import { HostRequests } from './host-requests.js';
import { failedAnswer } from './status-error.js';

const DISPLAY_TEXT_ID = 'DF8F12';

/** The device side of SDI as a Verifone P400 shows it, in standard mode: its own display, its own PIN entry. */
export class VerifoneP400 extends SimulatedDevice {
  readonly deviceType = 'VERIFONE_P400';
  /** Type B frames over TCP, type A over anything else. */
  readonly #frames: 'A' | 'B';
  readonly #link: DeviceLine;
  readonly #ctx: DeviceContext;
  #running: ProgramName | undefined;

  constructor(deps: DeviceDeps) {
    super(deps);
    const { serial, transport, clock, random } = deps;
    const { ui, core, health, dataKey } = this;
    this.#frames = transport === 'tcp' ? 'B' : 'A';
    this.#ctx = {
      serial,
      clock,
      ui,
      core,
      health,
      dataKey,
      store: new CardStore(clock),
      profiles: new HostProfiles(random),
      requests: new HostRequests(clock, (objects) => this.#send(EMV_REQUEST, objects)),
      flags: { contactReady: false, contactlessReady: false, cancelDialog: false },
    };
    this.#link = new DeviceLine(clock, this.#frames, this.line, (message) => this.#message(message));
  }

  /** A display text of the contactless reader that no command requested. */
  unsolicited(): Uint8Array {
    const objects = [tlv(TAGS.textDisplay, [tlv(DISPLAY_TEXT_ID, Buffer.of(0x01))])];
    const message = encodeStatus(NOTIFY_CALLBACK, encodeContainer(objects));
    return this.#frames === 'B' ? encodeTypeB(message) : Buffer.concat(encodeTypeA(message));
  }

  protected receive(bytes: Uint8Array): void {
    this.#link.step({ kind: 'bytes', bytes });
  }

  protected forget(): void {
    this.#link.reset();
    const { store, profiles, requests, flags, core } = this.#ctx;
    this.#end();
    store.reset();
    profiles.reset();
    requests.reset();
    core.forget();
    Object.assign(flags, { contactReady: false, contactlessReady: false, cancelDialog: false });
    this.ui.setState('idle');
  }

  /** Ends the program that runs. */
  #end(): void {
    this.#running = undefined;
    this.program.abort();
  }

  #message(message: Buffer): void {
    if (isReply(message)) {
      this.#ctx.requests.reply();
      return;
    }
    const command = decoded(() => decodeCommand(message));
    if (command) this.#command(command);
    else this.#send(STATUSES.messageLength.code);
  }

  #command(command: SdiCommand): void {
    const name = commandOf(command.cla, command.ins);
    if (name === 'sysAbort') this.#sysAbort(command);
    else if (name === 'reboot') this.#reboot(command);
    else if (name === 'unknown-class') this.#send(STATUSES.unknownClass.code);
    else if (name === 'unknown-ins') this.#send(STATUSES.unknownInstruction.code);
    else if (this.program.running) this.#send(STATUSES.busy.code);
    else if (this.health.tampered && !SAFE_COMMANDS.has(name)) this.#send(STATUSES.tampered.code);
    else this.#start(name, command);
  }

  /**
   * SYS ABORT: a command that can be stopped ends with its own answer, another continues; an idle device answers unless P2
   * forbids it. That it also ends the PIN entry of a chip follows from the guide (public sources are incomplete).
   */
  #sysAbort({ p2 }: SdiCommand): void {
    const running = this.#running;
    if (running === undefined) {
      if ((p2 & ABORT_P2.silentWhenIdle) === 0) this.#send(STATUSES.aborted.code);
      return;
    }
    const entersPin = this.ui.want === 'pin';
    const isDialog = running === 'handleDisplay' && this.ui.want === 'input';
    if (running === 'ctOffline' && !entersPin) return;
    if (running !== 'ctOffline' && !isDialog && !COMMANDS[running].blocking) return;
    this.#end();
    this.#ctx.requests.reset();
    this.ui.clear();
    this.ui.setState('idle');
    this.#send(running === 'ctOffline' ? STATUSES.emvPinEnded.code : STATUSES.aborted.code);
  }

  /** 20-17: the answer leaves, then the power is cycled. */
  #reboot({ p2 }: SdiCommand): void {
    if (p2 !== REBOOT_P2) {
      this.#send(STATUSES.parameter.code);
      return;
    }
    this.#send(STATUSES.ok.code);
    this.reset();
  }

  #start(name: ProgramName, command: SdiCommand): void {
    this.#running = name;
    this.program.start(
      (signal) => this.#execute(name, command, signal),
      ({ sw, objects }) => {
        this.#running = undefined;
        this.#send(sw, objects);
      },
    );
  }

  async #execute(
    name: ProgramName,
    { p2, data }: SdiCommand,
    signal: AbortSignal,
  ): Promise<{ readonly sw: number; readonly objects?: readonly TlvNode[] }> {
    try {
      const bytes = Buffer.from(data);
      const objects = isList(bytes) ? [] : decodeContainer(bytes);
      const answer = await HANDLERS[name](this.#ctx, { p2, data: bytes, objects, signal });
      return { ...answer, sw: answer.sw ?? STATUSES.ok.code };
    } catch (error) {
      if (signal.aborted) throw error;
      const failed = failedAnswer(error, placeOf(name));
      if (!failed) this.deps.onFault(error);
      this.ui.clear();
      this.ui.setState('idle');
      return failed ?? { sw: STATUSES.execution.code };
    }
  }

  #send(sw: number, objects?: readonly TlvNode[]): void {
    const data = objects ? encodeContainer(objects) : Buffer.alloc(0);
    this.#link.step({ kind: 'send', message: encodeStatus(sw, data) });
  }
}

/** A list of tags and lengths in place of a container. */
function isList(data: Buffer): boolean {
  return data[0] === Number.parseInt(COL_CONTAINER, 16);
}
