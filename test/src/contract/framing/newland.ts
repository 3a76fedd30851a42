import { ByteCursor, must } from './byte-cursor.js';
import { xorOf } from './checks.js';

const [STX, ETX, ACK, NAK] = [0x02, 0x03, 0x06, 0x15] as const;
const CANCEL = Buffer.from('+++CANCEL', 'latin1');
/** A sale's functions behind L0. */
const FUNCTIONS: Readonly<Record<number, string>> = {
  2: 'CONFIG',
  34: 'INITIALISE',
  36: 'GET DATA',
  38: 'GET TLV LIST',
  49: 'PERFORM',
  50: 'COMPLETE',
  51: 'TERMINATE',
  54: 'CALLBACK',
};

/** STX, length in BCD, data, ETX, LRC; ACK behind each answer. */
export function newlandCommands(written: Uint8Array): string[] {
  const cursor = new ByteCursor(written);
  const names: string[] = [];
  while (cursor.left > 0) {
    if (cursor.next === ACK || cursor.next === NAK) {
      cursor.byte('confirmation');
    } else if (cursor.next === CANCEL[0]) {
      must(cursor.bytes('cancel', CANCEL.length).equals(CANCEL), '+++CANCEL');
      names.push('CANCEL');
    } else {
      names.push(frame(cursor));
    }
  }
  return names;
}

function frame(cursor: ByteCursor): string {
  cursor.expect('STX', STX);
  const length = cursor.bytes('length', 2);
  const digits = length.toString('hex');
  must(/^\d{4}$/.test(digits), 'a length in BCD');
  const data = cursor.bytes('data', Number(digits));
  cursor.expect('ETX', ETX);
  must((xorOf(length) ^ xorOf(data) ^ ETX) === cursor.byte('LRC'), 'LRC');
  const type = data.subarray(0, 2).toString('latin1');
  must(/^[0-9A-Za-z]{2}$/.test(type) && data[2] === 0x2f, 'a type and a slash');
  if (type !== 'L0') return type;
  const name = FUNCTIONS[data[3] ?? 0];
  must(name !== undefined, `a known function: ${data[3]}`);
  return name;
}
