import { describe, expect, test } from 'vitest';
import { fromHex } from '../../bytes.js';
import { ACK, encodeTypeA, MAX_BLOCK_BYTES, NAK } from './frame-a.js';
import { encodeTypeB, MAX_RESPONSE_BYTES } from './frame-b.js';
import {
  awaitsConfirmation,
  expectsBytes,
  type LinkEffect,
  type LinkEvent,
  newLink,
  stepLink,
} from './link.js';
import { MAX_FRAME_SENDS } from './link-limits.js';

/** A line that events are fed to. */
class Line {
  state;

  constructor(type: 'A' | 'B') {
    this.state = newLink(type, MAX_RESPONSE_BYTES);
  }

  feed(event: LinkEvent): readonly LinkEffect[] {
    const { state, effects } = stepLink(this.state, event);
    this.state = state;
    return effects;
  }

  bytes(...bytes: readonly Uint8Array[]): readonly LinkEffect[] {
    return this.feed({ kind: 'bytes', bytes: Buffer.concat(bytes) });
  }

  send(message: Uint8Array): readonly LinkEffect[] {
    return this.feed({ kind: 'send', message });
  }
}

const COMMAND = fromHex('20040000');
const OK = fromHex('9000');
const [COMMAND_FRAME = Buffer.alloc(0)] = encodeTypeA(COMMAND);
const [OK_FRAME = Buffer.alloc(0)] = encodeTypeA(OK);
const [OTHER_FRAME = Buffer.alloc(0)] = encodeTypeA(fromHex('6500'));
const ACKED = { kind: 'write', bytes: Buffer.of(ACK), confirmable: false };
const NAKED = { kind: 'write', bytes: Buffer.of(NAK), confirmable: false };
const frame = (bytes: Buffer) => ({ kind: 'write', bytes, confirmable: true });
const message = (bytes: Uint8Array) => ({ kind: 'message', message: Buffer.from(bytes) });

describe('type A', () => {
  test('sends, is confirmed, confirms the answer', () => {
    const line = new Line('A');
    expect(line.send(COMMAND)).toEqual([frame(COMMAND_FRAME)]);
    expect(awaitsConfirmation(line.state)).toBe(true);
    expect(line.bytes(Buffer.of(ACK))).toEqual([]);
    expect(awaitsConfirmation(line.state)).toBe(false);
    expect(line.bytes(OK_FRAME)).toEqual([ACKED, message(OK)]);
  });

  test('sends again when refused, and gives up after the last time', () => {
    const line = new Line('A');
    line.send(COMMAND);
    for (let sends = 1; sends < MAX_FRAME_SENDS; sends += 1) {
      expect(line.bytes(Buffer.of(NAK))).toEqual([frame(COMMAND_FRAME)]);
    }
    expect(line.bytes(Buffer.of(NAK))).toEqual([{ kind: 'unsent', reason: 'refused' }]);
    expect(line.bytes(Buffer.of(NAK))).toEqual([]);
  });

  test('gives up an unconfirmed message, and those that wait behind it', () => {
    const line = new Line('A');
    line.send(COMMAND);
    expect(line.send(OK)).toEqual([]);
    expect(line.feed({ kind: 'ack-late' })).toEqual([{ kind: 'unsent', reason: 'unconfirmed' }]);
    expect(line.bytes(Buffer.of(ACK))).toEqual([]);
    expect(line.feed({ kind: 'ack-late' })).toEqual([]);
  });

  test('takes an answer for a confirmation that was lost', () => {
    const line = new Line('A');
    line.send(COMMAND);
    line.send(OK);
    expect(line.bytes(OTHER_FRAME)).toEqual([ACKED, frame(OK_FRAME), message(fromHex('6500'))]);
  });

  test('drops a repeated answer that comes before the next command is confirmed', () => {
    const line = new Line('A');
    line.send(COMMAND);
    line.bytes(Buffer.of(ACK), OK_FRAME);
    line.send(COMMAND);
    expect(line.bytes(OK_FRAME)).toEqual([ACKED]);
    expect(line.bytes(Buffer.of(ACK), OK_FRAME)).toEqual([ACKED, message(OK)]);
  });

  test('requests a damaged frame again, and for one that stops in the middle', () => {
    const line = new Line('A');
    const bent = Buffer.from(OK_FRAME);
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 0xff;
    expect(line.bytes(bent)).toEqual([NAKED, { kind: 'damaged' }]);
    expect(expectsBytes(line.state)).toBe(true);
    expect(line.feed({ kind: 'silence' })).toEqual([]);
    expect(line.bytes(OK_FRAME.subarray(0, 5))).toEqual([]);
    expect(expectsBytes(line.state)).toBe(true);
    expect(line.feed({ kind: 'silence' })).toEqual([NAKED, { kind: 'damaged' }]);
    expect(expectsBytes(line.state)).toBe(false);
    expect(line.bytes(OK_FRAME)).toEqual([ACKED, message(OK)]);
  });

  test('carries a message of many blocks, each confirmed', () => {
    const long = Buffer.alloc(2 * MAX_BLOCK_BYTES + 3, 5);
    const [host, device] = [new Line('A'), new Line('A')];
    let toDevice = host.send(long);
    const arrived: LinkEffect[] = [];
    for (let turns = 0; toDevice.length > 0; turns += 1) {
      expect(turns).toBeLessThan(5);
      const answers = toDevice.flatMap((effect) =>
        effect.kind === 'write' ? device.bytes(effect.bytes) : [],
      );
      arrived.push(...answers.filter(({ kind }) => kind === 'message'));
      toDevice = answers.flatMap((effect) => (effect.kind === 'write' ? host.bytes(effect.bytes) : []));
    }
    expect(arrived).toEqual([message(long)]);
  });

  test('drops a repeated block in the middle of a message, and a block out of order', () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = encodeTypeA(
      Buffer.alloc(MAX_BLOCK_BYTES + 1, 5),
    );
    const line = new Line('A');
    line.bytes(first, first);
    expect(line.bytes(second)).toEqual([ACKED, message(Buffer.alloc(MAX_BLOCK_BYTES + 1, 5))]);
    expect(new Line('A').bytes(second)).toEqual([ACKED]);
  });

  test('does not queue without end', () => {
    const line = new Line('A');
    const outcomes = Array.from({ length: 70 }, () => line.send(COMMAND)).flat();
    expect(outcomes.at(-1)).toEqual(frame(COMMAND_FRAME));
    expect(outcomes).toContainEqual({ kind: 'unsent', reason: 'queue-full' });
  });
});

describe('type B', () => {
  test('confirms nothing and ends with a wrong byte', () => {
    const line = new Line('B');
    expect(line.send(COMMAND)).toEqual([{ kind: 'write', bytes: encodeTypeB(COMMAND), confirmable: false }]);
    expect(line.bytes(encodeTypeB(OK))).toEqual([message(OK)]);
    expect(awaitsConfirmation(line.state) || expectsBytes(line.state)).toBe(false);
    expect(line.bytes(Buffer.of(1))).toEqual([{ kind: 'broken', reason: expect.any(String) }]);
    expect(line.bytes(encodeTypeB(OK))).toEqual([]);
    expect(line.feed({ kind: 'silence' })).toEqual([]);
  });
});
