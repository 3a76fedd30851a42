import { fromHex } from '@tillbridge/wire/bytes.js';
import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { COMMANDS, type CommandName } from '@tillbridge/wire/terminals/verifone/commands.js';
import {
  ACK,
  encodeTypeA,
  INITIAL_FRAME_A,
  parseTypeA,
} from '@tillbridge/wire/terminals/verifone/frame-a.js';
import {
  decodeContainer,
  decodeMessage,
  encodeCommand,
  encodeContainer,
} from '@tillbridge/wire/terminals/verifone/messages.js';
import { HOST_PROFILES, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { seededRandom } from '../../faults/seeded-random.js';
import { DeviceHarness } from '../core/device-harness.test.support.js';
import { VerifoneP400 } from './p400.js';

/** An answer as a host reads it. */
interface HostAnswer {
  /** Four hex digits. */
  readonly sw: string;
  readonly objects: readonly TlvNode[];
}

/** The sale of the tests: EUR 12.34. */
export const SALE: readonly TlvNode[] = [
  tlv('9C', Buffer.of(0)),
  tlv('9F02', fromHex('000000001234')),
  tlv('5F2A', fromHex('0978')),
  tlv('9A', fromHex('261120')),
  tlv('9F21', fromHex('101530')),
];

/** A P400 in memory and a host that speaks raw frames of type A. */
export class P400Harness extends DeviceHarness<VerifoneP400> {
  /** Everything that came, frame by frame or control byte by control byte. */
  readonly received: string[] = [];
  /** Answers, requests and notifications in the order they came. */
  readonly messages: HostAnswer[] = [];
  /** The host confirms frames. */
  confirms = true;
  #parser = INITIAL_FRAME_A;

  constructor(frames: 'A' | 'B' = 'A') {
    super(
      VerifoneP400,
      {
        serial: 'V0001004',
        transport: frames === 'B' ? 'tcp' : 'serial',
        random: seededRandom(3),
        ksnData: fromHex('FFFF987C543210E00000'),
      },
      Date.UTC(2026, 10, 20, 10, 15),
    );
    this.host.onData((bytes) => this.#hear(bytes));
  }

  #hear(bytes: Uint8Array): void {
    const parsed = parseTypeA(this.#parser, bytes);
    this.#parser = parsed.state;
    for (const event of parsed.events) {
      if (event.kind !== 'block') {
        this.received.push(event.kind);
        continue;
      }
      const { sw, data } = decodeMessage(event.data);
      const text = sw.toString(16).toUpperCase().padStart(4, '0');
      this.received.push(text);
      this.messages.push({ sw: text, objects: decodeContainer(data) });
      if (this.confirms) void this.host.write(Buffer.of(ACK));
    }
  }

  /** Sends raw bytes. */
  async raw(hex: string): Promise<void> {
    await this.host.write(fromHex(hex));
    await settle();
  }

  /** Sends a command and lets everything happen that happens at once. */
  async send(command: CommandName, objects?: readonly TlvNode[], p2 = 0): Promise<void> {
    const { cla, ins } = COMMANDS[command];
    const data = objects ? encodeContainer(objects) : Buffer.alloc(0);
    for (const frame of encodeTypeA(encodeCommand({ cla, ins, p1: 0, p2, data })))
      await this.host.write(frame);
    await this.settle();
  }

  /** Sends a message of one block as it is, whose answer comes at once. */
  async askRaw(hex: string): Promise<HostAnswer> {
    const before = this.messages.length;
    for (const frame of encodeTypeA(fromHex(hex))) await this.host.write(frame);
    await this.settle();
    const answer = this.messages[before];
    if (!answer) throw new Error(`${hex} was not answered at once`);
    return answer;
  }

  /** Sends a command whose answer comes at once. */
  async ask(command: CommandName, objects?: readonly TlvNode[], p2 = 0): Promise<HostAnswer> {
    const before = this.messages.length;
    await this.send(command, objects, p2);
    const answer = this.messages[before];
    if (!answer) throw new Error(`${command} was not answered at once`);
    return answer;
  }

  /** Status of a command whose answer comes at once. */
  async sw(command: CommandName, objects?: readonly TlvNode[], p2 = 0): Promise<string> {
    return (await this.ask(command, objects, p2)).sw;
  }

  /** Lets chips calculate and promises settle. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await settle();
  }

  /** The last message that came. */
  get last(): HostAnswer | undefined {
    return this.messages.at(-1);
  }

  /** A person gives a card. */
  async present(name: string, how?: PresentMode): Promise<void> {
    this.give(name, how);
    await this.settle();
  }

  /** A person enters a PIN. */
  async enterPin(digits: string): Promise<void> {
    this.device.ui.enterPin({ kind: 'digits', digits: Buffer.from(digits, 'latin1') });
    await this.settle();
  }

  /** The cardholder enters the card's own PIN. */
  async enterRightPin(): Promise<void> {
    await this.enterPin(this.device.ui.given?.definition.pin ?? '');
  }

  /** Opens a host profile. */
  async profile(name: keyof typeof HOST_PROFILES): Promise<TlvNode> {
    const host = tlv(TAGS.hostName, Buffer.from(HOST_PROFILES[name], 'latin1'));
    const { objects } = await this.ask('cryptoOpen', [host]);
    return tlv(TAGS.cryptoHandle, findTlv(objects, TAGS.cryptoHandle) ?? Buffer.alloc(0));
  }

  /** Waits for a card and gives it; the status of the detection. */
  async detect(technologies: number, card: string, how?: PresentMode): Promise<HostAnswer | undefined> {
    await this.send('cardDetection', [tlv(TAGS.technology, Buffer.of(technologies))], 20);
    await this.present(card, how);
    return this.last;
  }

  /** A chip up to its first cryptogram. */
  async chip(card: string, options: readonly TlvNode[] = []): Promise<void> {
    await this.ask('ctInit');
    await this.detect(0x01, card, 'insert');
    await this.ask('cardActivate');
    await this.ask('ctStart', SALE);
    await this.send('ctOffline', [tlv('9F41', fromHex('00000007')), ...options]);
  }
}
