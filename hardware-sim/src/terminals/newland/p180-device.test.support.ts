import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { encodeFrame, INITIAL_FRAME_STATE, parseFrames } from '@tillbridge/wire/terminals/newland/frame.js';
import { FUNCTIONS, type FunctionName } from '@tillbridge/wire/terminals/newland/functions.js';
import {
  decodeMessage,
  encodeMessage,
  type NewlandMessage,
} from '@tillbridge/wire/terminals/newland/messages.js';
import {
  decodePerformAnswer,
  encodePerform,
  type PerformAnswer,
} from '@tillbridge/wire/terminals/newland/perform.js';
import { CARD_WAYS, TAGS } from '@tillbridge/wire/terminals/newland/tags.js';
import { DeviceHarness } from '../core/device-harness.test.support.js';
import { NewlandP180 } from './p180.js';

/** Initial serial number of both keys. */
export const KSN = Buffer.from('FFFF9876543210E00000', 'hex');
/** Slots of the keys. */
export const PIN_SLOT = 1;
export const DATA_SLOT = 129;
/** Ways in which a card may be given. */
export const EVERY_WAY = CARD_WAYS.magstripe | CARD_WAYS.contact | CARD_WAYS.contactless;
const EMPTY = Buffer.alloc(0);

/** What a host requests of a transaction in addition to its amount. */
interface TestSale {
  readonly ways?: number;
  /** Callbacks that are wanted. */
  readonly flags?: number;
  readonly objects?: readonly TlvNode[];
}

/** A pad, and a host that speaks to it in frames. */
export class P180Harness extends DeviceHarness<NewlandP180> {
  /** Confirmations and refusals of the pad. */
  readonly controls: string[] = [];
  /** Its messages that no test has read yet. */
  readonly messages: NewlandMessage[] = [];

  constructor() {
    super(NewlandP180, { ksnPin: KSN, ksnData: KSN });
    let state = INITIAL_FRAME_STATE;
    this.host.onData((bytes) => {
      const parsed = parseFrames(state, bytes);
      state = parsed.state;
      for (const event of parsed.events) {
        if (event.kind === 'frame') this.messages.push(decodeMessage(event.data));
        else this.controls.push(event.kind);
      }
    });
  }

  async send(type: string, body: Uint8Array = EMPTY): Promise<void> {
    await this.host.write(encodeFrame(encodeMessage({ type, body: Buffer.from(body) })));
    await settle();
  }

  call(name: FunctionName, data: Uint8Array = EMPTY): Promise<void> {
    return this.send('L0', Buffer.concat([Buffer.of(FUNCTIONS[name].id), data]));
  }

  /** The next message, once the card has taken its time. */
  async next(): Promise<NewlandMessage> {
    for (let turn = 0; turn < 200; turn += 1) {
      const message = this.messages.shift();
      if (message) return message;
      await settle();
    }
    throw new Error('the device sent nothing');
  }

  /** The answer of a function: its code, and the data after it. @throws Error when the pad sends something else */
  async answerOf(name: FunctionName): Promise<{ readonly code: string; readonly data: Buffer }> {
    const body = await this.#fromFunction(name);
    return { code: body.subarray(0, 2).toString('latin1'), data: body.subarray(2) };
  }

  /** The next callback: its id and data. @throws Error when the pad sends something else */
  async callback(): Promise<number[]> {
    return [...(await this.#fromFunction('callback'))];
  }

  /** Sends a command. @returns the body of its answer */
  async reply(type: string, body: Uint8Array = EMPTY): Promise<string> {
    await this.send(type, body);
    return (await this.next()).body.toString('latin1');
  }

  perform({ ways = EVERY_WAY, flags = 0, objects = [] }: TestSale = {}): Promise<void> {
    const sale = [
      tlv('9F02', Buffer.from('000000001234', 'hex')),
      tlv('9C', Buffer.of(0)),
      tlv('9A', Buffer.from('261120', 'hex')),
      tlv('9F21', Buffer.from('101530', 'hex')),
      tlv('5F2A', Buffer.from('0978', 'hex')),
      tlv(TAGS.callbacks, Buffer.of(flags, 1, 0)),
      ...objects,
    ];
    return this.call('perform', encodePerform({ cardWays: ways, timeoutSeconds: 30, objects: sale }));
  }

  /** The end of a transaction. @throws Error when the pad sends something else */
  async performed(): Promise<PerformAnswer> {
    const { code, data } = await this.answerOf('perform');
    if (code !== '00') throw new Error(`the transaction was refused with ${code}`);
    return decodePerformAnswer(data);
  }

  async #fromFunction(name: FunctionName): Promise<Buffer> {
    const { type, body } = await this.next();
    if (type !== 'L1' || body[0] !== FUNCTIONS[name].id) {
      throw new Error(`the device sent ${type} ${body.toString('hex')} in place of ${name}`);
    }
    return body.subarray(1);
  }
}
