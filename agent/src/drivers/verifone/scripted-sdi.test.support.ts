import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { type CommandName, commandOf, PROPERTIES } from '@tillbridge/wire/terminals/verifone/commands.js';
import {
  ACK,
  encodeTypeA,
  INITIAL_FRAME_A,
  NAK,
  parseTypeA,
} from '@tillbridge/wire/terminals/verifone/frame-a.js';
import {
  decodeCommand,
  decodeContainer,
  encodeContainer,
  encodeStatus,
  isReply,
} from '@tillbridge/wire/terminals/verifone/messages.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';

/** What the device does with one command. */
export type Step =
  | { readonly sw: number; readonly objects?: readonly TlvNode[] }
  /** Confirmed, and never answered. */
  | 'hang'
  /** Neither confirmed nor answered. */
  | 'deaf'
  /** Refused each time. */
  | 'refuse'
  /** An answer whose CRC is wrong; the host's refusal is passed over. */
  | 'damaged'
  /** A request first; the answer once it was replied to. */
  | { readonly request: readonly TlvNode[]; readonly answer: Step };

/** One command as it arrived. */
interface Seen {
  readonly command: CommandName | 'reply' | 'unknown';
  readonly p2: number;
  readonly objects: readonly TlvNode[];
}

const OK: Step = { sw: 0x9000 };
const TEXTS: ReadonlyMap<number, string> = new Map([
  [PROPERTIES.serialNumber, 'V0000042'],
  [PROPERTIES.modelName, 'P400'],
  [PROPERTIES.osVersion, '31010300'],
]);

/** A device that answers by a script, over frames of type A: its framing is real, the test writes its messages. */
export class ScriptedSdi {
  readonly seen: Seen[] = [];
  private readonly script = new Map<CommandName, Step[]>();
  private readonly pipe: BytePipe;
  private parser = INITIAL_FRAME_A;
  private afterReply: Step | undefined;

  constructor(pipe: BytePipe) {
    this.pipe = pipe;
    pipe.onData((bytes) => this.receive(bytes));
  }

  /** What it does with the next commands of that name; it answers others with success. */
  next(command: CommandName, ...steps: readonly Step[]): void {
    this.script.set(command, [...(this.script.get(command) ?? []), ...steps]);
  }

  /** Sends an unsolicited message. */
  say(sw: number, objects: readonly TlvNode[] = []): void {
    this.write(encodeTypeA(encodeStatus(sw, encodeContainer(objects))));
  }

  /** Commands of that name that came. */
  commands(name: Seen['command']): readonly Seen[] {
    return this.seen.filter(({ command }) => command === name);
  }

  private write(frames: readonly Uint8Array[]): void {
    for (const frame of frames) void this.pipe.write(frame);
  }

  private receive(bytes: Uint8Array): void {
    const { state, events } = parseTypeA(this.parser, bytes);
    this.parser = state;
    for (const event of events) {
      if (event.kind === 'block') this.take(event.data);
    }
  }

  private take(message: Buffer): void {
    if (isReply(message)) {
      this.seen.push({ command: 'reply', p2: 0, objects: decodeContainer(message.subarray(2)) });
      this.write([Buffer.of(ACK)]);
      const step = this.afterReply;
      this.afterReply = undefined;
      if (step) this.perform(step);
      return;
    }
    const { cla, ins, p2, data } = decodeCommand(message);
    const name = commandOf(cla, ins);
    const command = name === 'unknown-ins' || name === 'unknown-class' ? 'unknown' : name;
    const objects = data[0] === 0xf3 ? [] : decodeContainer(data);
    this.seen.push({ command, p2, objects });
    const step = command === 'unknown' ? OK : (this.script.get(command)?.shift() ?? usual(command, objects));
    if (step === 'deaf') return;
    if (step === 'refuse') {
      this.write([Buffer.of(NAK)]);
      return;
    }
    this.write([Buffer.of(ACK)]);
    // An abort ends the command that it stops, and has no separate answer.
    if (command !== 'sysAbort' || p2 === 0) this.perform(step);
  }

  private perform(step: Step): void {
    if (step === 'hang' || step === 'deaf' || step === 'refuse') return;
    if (step === 'damaged') {
      const [frame = Buffer.alloc(0)] = encodeTypeA(encodeStatus(0x9000));
      frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 0xff;
      this.write([frame]);
    } else if ('request' in step) {
      this.afterReply = step.answer;
      this.say(0x9101, step.request);
    } else {
      const data = step.objects ? encodeContainer(step.objects) : Buffer.alloc(0);
      this.write(encodeTypeA(encodeStatus(step.sw, data)));
    }
  }
}

function usual(command: CommandName, objects: readonly TlvNode[]): Step {
  if (command === 'sysAbort') return { sw: 0x6500 };
  if (command === 'waitCardRemoval') return OK;
  if (command === 'cryptoOpen')
    return { sw: 0x9000, objects: [tlv(TAGS.cryptoHandle, Buffer.of(1, 2, 3, 4))] };
  if (command !== 'getProperty') return OK;
  const [id] = objects;
  const value = id && 'value' in id ? id.value : Buffer.alloc(4);
  const text = TEXTS.get(value.at(-1) ?? 0xff) ?? '';
  return {
    sw: 0x9000,
    objects: [tlv(TAGS.propertyId, value), tlv(TAGS.propertyValue, Buffer.from(text, 'latin1'))],
  };
}
