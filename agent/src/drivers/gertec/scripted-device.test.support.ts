import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { encodeClassicResponse } from '@tillbridge/wire/terminals/abecs/classic.js';
import { FieldReader, type FieldValues, fields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { familyId } from '@tillbridge/wire/terminals/abecs/fields.js';
import {
  ACK,
  EOT,
  encodePacket,
  INITIAL_FRAME_STATE,
  NAK,
  parseFrames,
} from '@tillbridge/wire/terminals/abecs/framing.js';
import { encodeKeyMap } from '@tillbridge/wire/terminals/abecs/key-map.js';
import {
  type CommandMessage,
  decodeCommandMessage,
  encodeResponseMessage,
  type ResponseMessage,
} from '@tillbridge/wire/terminals/abecs/message.js';
import { encodeNotification } from '@tillbridge/wire/terminals/abecs/notification.js';
import { decodeParameters, encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { type StatusName, statusCode } from '@tillbridge/wire/terminals/abecs/statuses.js';

/** What the device does with one command. */
type Step =
  | { readonly ok: FieldValues; readonly notes?: readonly string[] }
  | { readonly block: Buffer }
  | { readonly status: StatusName }
  /** ACK and never an answer. */
  | 'hang'
  /** Neither ACK nor answer. */
  | 'deaf'
  /** ACK, the answer with a broken CRC, then the answer again on NAK. */
  | { readonly damagedOnce: FieldValues };

/** One command as it arrived. */
interface Seen {
  readonly id: string;
  readonly fields: FieldReader;
  readonly blocks: readonly Uint8Array[];
}

const NO_FIELDS = new FieldReader([]);

/** A device that answers by a script: its framing is real, the test writes its messages. */
export class ScriptedDevice {
  readonly seen: Seen[] = [];
  cancels = 0;
  /** Table version it claims; a load sets it. */
  tableVersion = '0000000000';
  keys: readonly [pin: boolean, data: boolean] = [true, true];
  private readonly script = new Map<string, Step[]>();
  private pipe: BytePipe | undefined;
  private parser = INITIAL_FRAME_STATE;
  private last: Buffer | undefined;
  private loading = '';
  private readonly watchers: { readonly id: string; readonly arrived: () => void }[] = [];

  /** Connects the device to its end of a pipe. */
  plug(pipe: BytePipe): void {
    this.pipe = pipe;
    this.parser = INITIAL_FRAME_STATE;
    pipe.onData((bytes) => this.receive(pipe, bytes));
  }

  /** Ends the pipe as a pulled plug would. */
  async unplug(): Promise<void> {
    await this.pipe?.close();
  }

  /** Queues what to do with the next commands of an id; without a script the defaults below answer. */
  on(id: string, ...steps: readonly Step[]): void {
    this.script.set(id, [...(this.script.get(id) ?? []), ...steps]);
  }

  /** Resolves when the next command of an id has arrived. */
  arrives(id: string): Promise<void> {
    return new Promise((resolve) => {
      this.watchers.push({ id, arrived: resolve });
    });
  }

  /** Ids of the commands so far, without signs of life. */
  get ids(): string[] {
    return this.seen.map(({ id }) => id);
  }

  /** The last command of an id. */
  lastOf(id: string): Seen {
    const found = this.seen.findLast((seen) => seen.id === id);
    if (!found) throw new Error(`no ${id} arrived`);
    return found;
  }

  /** Sends an answer now: late, or without a request. */
  async say(response: ResponseMessage): Promise<void> {
    await this.write(encodePacket(encodeResponseMessage(response)));
  }

  private receive(pipe: BytePipe, bytes: Uint8Array): void {
    if (pipe !== this.pipe) return;
    const parsed = parseFrames(this.parser, bytes);
    this.parser = parsed.state;
    for (const event of parsed.events) {
      if (event.kind === 'can') {
        this.cancels += 1;
        void this.write(Uint8Array.of(EOT));
      } else if (event.kind === 'nak' && this.last) {
        void this.write(this.last);
      } else if (event.kind === 'packet') {
        this.command(decodeCommandMessage(event.data));
      } else if (event.kind === 'bad-crc') {
        void this.write(Uint8Array.of(NAK));
      }
    }
  }

  private command(message: CommandMessage): void {
    const step = this.script.get(message.id)?.shift() ?? this.usual(message);
    if (step !== 'deaf') void this.write(Uint8Array.of(ACK));
    const tlv = /^(GIX|GCX|GTK|GOX|FCX|CLX)$/.test(message.id);
    const reader = tlv ? new FieldReader(decodeParameters(message.blocks)) : NO_FIELDS;
    this.seen.push({ id: message.id, fields: reader, blocks: message.blocks });
    for (const watcher of this.watchers.splice(0)) {
      if (watcher.id === message.id) watcher.arrived();
      else this.watchers.push(watcher);
    }
    this.answer(message.id, step);
  }

  private answer(id: string, step: Step): void {
    if (step === 'hang' || step === 'deaf') return;
    if ('status' in step) this.reply({ id, status: statusCode(step.status), blocks: [] });
    else if ('block' in step) this.reply({ id, status: 0, blocks: [step.block] });
    else if ('damagedOnce' in step) {
      const packet = encodePacket(
        encodeResponseMessage({ id, status: 0, blocks: encodeParameters(fields(step.damagedOnce)) }),
      );
      this.last = packet;
      const damaged = Buffer.from(packet);
      damaged.writeUInt16BE(damaged.readUInt16BE(damaged.length - 2) ^ 0x0101, damaged.length - 2);
      void this.write(damaged);
    } else {
      for (const note of step.notes ?? [])
        void this.write(encodePacket(encodeResponseMessage(encodeNotification(note))));
      this.reply({ id, status: 0, blocks: encodeParameters(fields(step.ok)) });
    }
  }

  private reply(response: ResponseMessage): void {
    this.last = encodePacket(encodeResponseMessage(response));
    void this.write(this.last);
  }

  /** Commands that need no script: the session, tables, displays, the card's way out. */
  private usual(message: CommandMessage): Step {
    if (message.id === 'GIX') return this.information();
    if (message.id === 'GTS')
      return { block: encodeClassicResponse('GTS', { GTS_TABVER: this.tableVersion }) };
    if (message.id === 'TLI') {
      this.loading = Buffer.from(message.blocks[0] ?? []).toString('latin1', 2);
      return { status: 'ST_TABVERDIF' };
    }
    if (message.id === 'TLE') this.tableVersion = this.loading;
    return { ok: {} };
  }

  private information(): Step {
    const [pin, data] = this.keys;
    const slots = (loaded: boolean) => encodeKeyMap(['absent', loaded ? 'loaded' : 'absent']);
    const known = fields({
      PP_SERNUM: '7200032211005539',
      PP_MODEL: 'PPC-930;192MB',
      PP_MNNAME: 'GERTEC',
      PP_CAPAB: '1200000000',
      PP_SOVER: '1400.12503',
      PP_DKPTTDESP: slots(pin),
      PP_DKPTTDESD: slots(data),
    });
    const version = { id: familyId('PP_TABVER', 0), value: Buffer.from(this.tableVersion, 'latin1') };
    return { block: Buffer.concat(encodeParameters([...known, version])) };
  }

  private async write(bytes: Uint8Array): Promise<void> {
    // A device does not mind when the other side is gone.
    await this.pipe?.write(bytes).catch(() => {});
  }
}
