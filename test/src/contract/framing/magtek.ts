import { ByteCursor, hex4, must } from './byte-cursor.js';
import { berTags } from './checks.js';

const REPORT = 64;
const [SINGLE, HEAD, MIDDLE, TAIL] = [0x00, 0x01, 0x02, 0x03] as const;
const [END, ESC, ESC_END, ESC_ESC] = [0xc0, 0xdb, 0xdc, 0xdd] as const;

/** MMS over HID: reports of 64 bytes without a number, short messages in one of them. */
export function mmsCommandsHid(written: Uint8Array): string[] {
  must(written.length % REPORT === 0, 'whole reports');
  const messages: Buffer[] = [];
  let open: { readonly total: number; readonly parts: Buffer[] } | undefined;
  for (let at = 0; at < written.length; at += REPORT) {
    const report = new ByteCursor(written.subarray(at, at + REPORT));
    const kind = report.byte('kind');
    if (kind === SINGLE) {
      must(open === undefined, 'no message stands open');
      messages.push(report.bytes('message', report.byte('length')));
    } else if (kind === HEAD) {
      must(open === undefined, 'no message stands open');
      open = { total: report.bytes('length', 4).readUInt32BE(), parts: [report.bytes('part', 59)] };
    } else if (kind === MIDDLE) {
      must(open !== undefined, 'a head came before');
      must(report.bytes('number', 2).readUInt16BE() === open.parts.length, 'middles are counted from one');
      open.parts.push(report.bytes('part', 61));
    } else {
      must(kind === TAIL && open !== undefined, 'a tail behind its head');
      open.parts.push(report.bytes('part', report.byte('length')));
      const message = Buffer.concat(open.parts);
      must(message.length === open.total, 'the length of the head');
      messages.push(message);
      open = undefined;
    }
    must(
      report.rest().every((byte) => byte === 0),
      'zeros behind',
    );
  }
  must(open === undefined, 'the last message is whole');
  return inOrder(messages);
}

/** MMS over a serial line: SLIP, a byte of information, four of length. */
export function mmsCommandsSlip(written: Uint8Array): string[] {
  const cursor = new ByteCursor(written);
  const messages: Buffer[] = [];
  while (cursor.left > 0) {
    cursor.expect('END', END);
    const frame: number[] = [];
    for (let byte = cursor.byte('frame'); byte !== END; byte = cursor.byte('frame')) {
      if (byte !== ESC) {
        frame.push(byte);
        continue;
      }
      const escaped = cursor.byte('escape');
      must(escaped === ESC_END || escaped === ESC_ESC, 'a known escape');
      frame.push(escaped === ESC_END ? END : ESC);
    }
    const inside = new ByteCursor(Buffer.from(frame));
    inside.expect('direction', 0x00);
    must(inside.bytes('length', 4).readUInt32BE() === inside.left, 'the length of the message');
    messages.push(inside.rest());
  }
  return inOrder(messages);
}

/** AA 00, then type, reference and number in 81, number and parameters in 84. References are counted. */
function inOrder(messages: readonly Buffer[]): string[] {
  let last: number | undefined;
  return messages.map((message) => {
    const cursor = new ByteCursor(message);
    cursor.expect('beginning', 0xaa, 0x00);
    cursor.expect('information', 0x81, 0x04, 0x01);
    const reference = cursor.byte('reference');
    must(last === undefined || reference === (last + 1) % 256, 'references are counted');
    last = reference;
    const [high, low] = [cursor.byte('command'), cursor.byte('command')];
    const payload = cursor.rest();
    must(String(berTags(payload)) === '84', 'one payload');
    const at = (payload[1] ?? 0) > 0x80 ? 2 + ((payload[1] ?? 0) & 0x7f) : 2;
    must(payload[at] === high && payload[at + 1] === low, 'the payload names its command');
    berTags(payload.subarray(at + 2));
    return hex4(high, low);
  });
}
