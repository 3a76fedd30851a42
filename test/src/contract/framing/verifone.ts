import { ByteCursor, hex4, must } from './byte-cursor.js';
import { berTags, crc1021 } from './checks.js';

const [ACK, NAK, STX, ETX, ETB] = [0x06, 0x15, 0x02, 0x03, 0x17] as const;
const SYS_ABORT = '2002';
const CALLBACK_ANSWER = 0x92;

/** SDI type A: STX, 'A', block and length, message, ETX or ETB, CRC; a byte confirms each frame of the device. */
export function sdiCommandsA(written: Uint8Array): string[] {
  const cursor = new ByteCursor(written);
  const names: string[] = [];
  let message = Buffer.alloc(0);
  let block = 0;
  while (cursor.left > 0) {
    if (cursor.next === ACK || cursor.next === NAK) {
      cursor.byte('confirmation');
      continue;
    }
    const head = cursor.bytes('header', 4);
    must(head[0] === STX && head[1] === 0x41, 'STX and A');
    const length = head.readUInt16BE(2);
    must(length >> 12 === block, 'blocks are counted from zero');
    const body = cursor.bytes('message and end', (length & 0x0fff) + 1);
    const end = body.at(-1);
    must(end === ETX || end === ETB, 'ETX or ETB');
    const crc = cursor.bytes('CRC', 2).readUInt16BE();
    must(crc === crc1021(Buffer.concat([head, body]), 0), 'CRC');
    message = Buffer.concat([message, body.subarray(0, -1)]);
    block += 1;
    if (end === ETB) continue;
    names.push(nameOf(message));
    message = Buffer.alloc(0);
    block = 0;
  }
  must(block === 0, 'the last message is whole');
  return names;
}

/** SDI type B: STX, 'B', four bytes of length, message, ETX. */
export function sdiCommandsB(written: Uint8Array): string[] {
  const cursor = new ByteCursor(written);
  const names: string[] = [];
  while (cursor.left > 0) {
    cursor.expect('STX and B', STX, 0x42);
    const message = cursor.bytes('message', cursor.bytes('length', 4).readUInt32BE());
    cursor.expect('ETX', ETX);
    names.push(nameOf(message));
  }
  return names;
}

/** CLA INS P1 P2 and one container, or the answer to a callback. */
function nameOf(message: Buffer): string {
  const answersCallback = message[0] === CALLBACK_ANSWER;
  const head = answersCallback ? 2 : 4;
  must(message.length >= head, 'a message has its header');
  const tags = berTags(message.subarray(head));
  must(
    tags.length === 0 || (tags.length === 1 && /^F[0-3]$/.test(tags[0] ?? '')),
    `one container: ${tags.join()}`,
  );
  const name = answersCallback ? 'CALLBACK' : hex4(message[0] ?? 0, message[1] ?? 0);
  must(name !== SYS_ABORT || tags.length === 0, 'SYS ABORT has no data');
  return name;
}
