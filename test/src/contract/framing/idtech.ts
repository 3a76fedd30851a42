import { ByteCursor, hex4, must } from './byte-cursor.js';
import { crc1021 } from './checks.js';

const REPORT = 64;
const [WHOLE, FIRST, MIDDLE, LAST] = [0x01, 0x02, 0x03, 0x04] as const;
const HEADER = Buffer.from('ViVOtech2\0', 'latin1');

/** NEO 2 over a serial line: frame behind frame. */
export function neoCommands(written: Uint8Array): string[] {
  const cursor = new ByteCursor(written);
  const names: string[] = [];
  while (cursor.left > 0) names.push(frame(cursor));
  return names;
}

/** NEO 2 over HID: a byte names the part of a frame that the 63 others are; zeros fill the last. */
export function neoCommandsHid(written: Uint8Array): string[] {
  must(written.length % REPORT === 0, 'whole reports');
  const names: string[] = [];
  let open: Buffer | undefined;
  for (let at = 0; at < written.length; at += REPORT) {
    const kind = written[at] ?? 0;
    const part = Buffer.from(written.subarray(at + 1, at + REPORT));
    const begins = kind === WHOLE || kind === FIRST;
    must(begins || kind === MIDDLE || kind === LAST, 'a known part');
    must(begins === (open === undefined), 'parts follow their first');
    open = Buffer.concat([open ?? Buffer.alloc(0), part]);
    if (kind !== WHOLE && kind !== LAST) continue;
    const cursor = new ByteCursor(open);
    names.push(frame(cursor));
    must(cursor.left < REPORT && cursor.rest().every((byte) => byte === 0), 'zeros behind');
    open = undefined;
  }
  must(open === undefined, 'the last frame is whole');
  return names;
}

/** Header, command, sub-command, length, data, CRC with its low byte first. */
function frame(cursor: ByteCursor): string {
  const head = cursor.bytes('head', HEADER.length + 4);
  must(head.subarray(0, HEADER.length).equals(HEADER), 'ViVOtech2 and a zero');
  const data = cursor.bytes('data', head.readUInt16BE(HEADER.length + 2));
  const crc = cursor.bytes('CRC', 2).readUInt16LE();
  must(crc === crc1021(Buffer.concat([head, data]), 0xffff), 'CRC');
  return hex4(head[HEADER.length] ?? 0, head[HEADER.length + 1] ?? 0);
}
