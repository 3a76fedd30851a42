import { ByteCursor, must } from './byte-cursor.js';
import { crc1021 } from './checks.js';

const [NAK, SYN, ETB, CAN, DC3] = [0x15, 0x16, 0x17, 0x18, 0x13] as const;
const ESCAPES: Readonly<Record<number, number>> = { 51: 0x13, 54: 0x16, 55: 0x17 };
const MAX_DATA = 2_049;
/** Commands whose block holds parameters of two bytes of id and two of length. */
const WITH_PARAMETERS = new Set(['GIX', 'CLX', 'GCX', 'GED', 'GTK', 'GOX', 'FCX', 'CEX']);

/** ABECS: SYN, escaped data, ETB, CRC over what was escaped; CAN before a session. */
export function abecsCommands(written: Uint8Array): string[] {
  const cursor = new ByteCursor(written);
  const names: string[] = [];
  while (cursor.left > 0) {
    const first = cursor.byte('control');
    if (first === CAN) names.push('CAN');
    if (first === CAN || first === NAK) continue;
    must(first === SYN, `SYN in place of ${first.toString(16)}`);
    names.push(command(packet(cursor)));
  }
  return names;
}

function packet(cursor: ByteCursor): Buffer {
  const data: number[] = [];
  for (let byte = cursor.byte('data'); byte !== ETB; byte = cursor.byte('data')) {
    must(byte !== SYN, 'no SYN inside');
    const plain = byte === DC3 ? ESCAPES[cursor.byte('escape')] : byte;
    must(plain !== undefined, 'a known escape');
    data.push(plain);
  }
  must(data.length <= MAX_DATA, 'not longer than a packet may be');
  const crc = cursor.bytes('CRC', 2).readUInt16BE();
  must(crc === crc1021(Buffer.from([...data, ETB]), 0), 'CRC');
  return Buffer.from(data);
}

function command(data: Buffer): string {
  const cursor = new ByteCursor(data);
  const id = cursor.bytes('id', 3).toString('latin1');
  must(/^[A-Z]{3}$/.test(id), `an id of three letters: ${id}`);
  while (cursor.left > 0) {
    const length = cursor.bytes('block length', 3).toString('latin1');
    must(/^\d{3}$/.test(length), 'three digits of length');
    const block = new ByteCursor(cursor.bytes('block', Number(length)));
    if (WITH_PARAMETERS.has(id)) parameters(block);
  }
  return id;
}

function parameters(block: ByteCursor): void {
  while (block.left > 0) {
    block.bytes('id', 2);
    block.bytes('value', block.bytes('length', 2).readUInt16BE());
  }
}
