import { describe, expect, test } from 'vitest';
import { fromHex } from '../../bytes.js';
import { TerminalFormatError } from '../format-error.js';
import { decodeCommand, encodeCommand, MAX_COMMAND_DATA } from './commands.js';
import {
  encodeCommandPacket,
  encodeMessagePackets,
  INITIAL_PACKET_STATE,
  type MiuraMessage,
  type PacketEvent,
  parsePackets,
} from './packet.js';
import { decodeResponse, encodeResponse } from './responses.js';

// Computed frames of the facts this codec was written from.
const RESET = '010004D0000000D5';
const START =
  '01002DDED1000028E0269C01009F02060000000010009A032611209F2103120000DFA2040101DFA20301005F2A020978FA';

const message = (apdu: Buffer, unsolicited = false): MiuraMessage => ({ node: 'mpi', unsolicited, apdu });

function parse(bytes: Uint8Array, piece = bytes.length): readonly PacketEvent[] {
  let state = INITIAL_PACKET_STATE;
  const events: PacketEvent[] = [];
  for (let at = 0; at < bytes.length; at += piece) {
    const parsed = parsePackets(state, bytes.subarray(at, at + piece));
    state = parsed.state;
    events.push(...parsed.events);
  }
  expect(state).toEqual(INITIAL_PACKET_STATE);
  return events;
}

describe('packets', () => {
  test('commands are the published bytes', () => {
    const reset = encodeCommand({ command: 'reset', p1: 0, p2: 0, data: Buffer.alloc(0) });
    expect(encodeCommandPacket(reset).toString('hex').toUpperCase()).toBe(RESET);
    const data = fromHex(START).subarray(8, -1);
    const start = encodeCommand({ command: 'start', p1: 0, p2: 0, data });
    expect(encodeCommandPacket(start).toString('hex').toUpperCase()).toBe(START);
    expect(decodeCommand(start)).toEqual({ command: 'start', p1: 0, p2: 0, data: Buffer.from(data) });
  });

  test('come out whole however the bytes are cut', () => {
    const long = message(Buffer.alloc(700, 0x01), true);
    const bytes = Buffer.concat([
      encodeMessagePackets(long),
      encodeMessagePackets(message(Buffer.of(0x90, 0))),
    ]);
    for (const piece of [1, 2, 7, 255, bytes.length]) {
      expect(parse(bytes, piece)).toEqual([
        { kind: 'message', message: long },
        { kind: 'message', message: message(Buffer.of(0x90, 0)) },
      ]);
    }
  });

  test('no part of a chain has a single byte', () => {
    for (const length of [254, 255, 256, 508, 509, 510]) {
      const whole = message(Buffer.alloc(length, 7));
      expect(parse(encodeMessagePackets(whole))).toEqual([{ kind: 'message', message: whole }]);
    }
  });

  test('are found again behind garbage and behind a damaged one', () => {
    const good = encodeMessagePackets(message(Buffer.of(0x90, 0)));
    const bent = Buffer.from(good);
    bent[3] = 0x91;
    const events = parse(Buffer.concat([Buffer.of(0xff, 0x00, 0x05), good, bent, good]));
    expect(events.filter(({ kind }) => kind === 'message')).toHaveLength(2);
    expect(events[0]).toEqual({ kind: 'damaged' });
  });

  test('a chain that never ends is given up', () => {
    const part = Buffer.concat([Buffer.of(0x01, 0x01, 0xfe), Buffer.alloc(254)]);
    const chained = Buffer.concat([part, Buffer.of(part.reduce((sum, byte) => sum ^ byte, 0))]);
    let state = INITIAL_PACKET_STATE;
    const events: PacketEvent[] = [];
    for (let at = 0; at < 100; at += 1) {
      const parsed = parsePackets(state, chained);
      state = parsed.state;
      events.push(...parsed.events);
    }
    expect(events).toContainEqual({ kind: 'damaged' });
    expect(state.chain?.parts.length ?? 0).toBeLessThan(17_000);
  });
});

describe('commands and responses', () => {
  test('refuse what does not fit', () => {
    const tooLong = { command: 'start', p1: 0, p2: 0, data: Buffer.alloc(MAX_COMMAND_DATA + 1) } as const;
    expect(() => encodeCommand(tooLong)).toThrow(TerminalFormatError);
    expect(() => decodeCommand(Buffer.of(0xd0, 0x00, 0x00))).toThrow(TerminalFormatError);
    expect(() => decodeCommand(Buffer.of(0xd0, 0x00, 0, 0, 9, 1))).toThrow('Lc');
    expect(() => decodeResponse(Buffer.of(0x90))).toThrow(TerminalFormatError);
    expect(decodeCommand(Buffer.of(0x12, 0x34, 1, 2)).command).toBeUndefined();
  });

  test('a response is data and status word', () => {
    const response = { data: Buffer.of(1, 2), sw: 0x9f41 };
    expect(decodeResponse(encodeResponse(response))).toEqual(response);
  });
});
