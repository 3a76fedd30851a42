import { ByteCursor, hex4, must } from './byte-cursor.js';
import { berTags, xorOf } from './checks.js';

const NAMES: Readonly<Record<string, string>> = {
  D000: 'RESET',
  D060: 'CARD STATUS',
  D061: 'KEYBOARD STATUS',
  D062: 'BATTERY',
  D0FF: 'ABORT',
  D010: 'CLOCK',
  D201: 'DISPLAY',
  DED1: 'START',
  DED2: 'CONTINUE',
  DEC1: 'START CONTACTLESS',
  DED6: 'ONLINE PIN',
  EEE0: 'P2PE STATUS',
};
/** Commands whose data are one template E0. */
const WITH_TEMPLATE = new Set(['START', 'CONTINUE', 'START CONTACTLESS', 'ONLINE PIN']);

/** MPI: NAD, PCB, LEN, APDU, LRC. A host neither chains nor sends anything without a command. */
export function miuraCommands(written: Uint8Array): string[] {
  const cursor = new ByteCursor(written);
  const names: string[] = [];
  while (cursor.left > 0) {
    const header = cursor.bytes('header', 3);
    must(header[0] === 0x01, 'NAD is the pin pad');
    must(header[1] === 0x00, 'PCB is zero');
    const length = header[2] ?? 0;
    must(length >= 2 && length <= 254, 'LEN is 2 to 254');
    const apdu = cursor.bytes('APDU', length);
    must((xorOf(header) ^ xorOf(apdu) ^ cursor.byte('LRC')) === 0, 'LRC');
    names.push(apduName(apdu));
  }
  return names;
}

function apduName(apdu: Buffer): string {
  const name = NAMES[hex4(apdu[0] ?? 0, apdu[1] ?? 0)];
  must(name !== undefined, `a known command: ${apdu.subarray(0, 2).toString('hex')}`);
  must(apdu.length === 4 || apdu[4] === apdu.length - 5, `Lc of ${name}`);
  if (WITH_TEMPLATE.has(name)) must(String(berTags(apdu.subarray(5))) === 'E0', `one E0 in ${name}`);
  return name;
}
