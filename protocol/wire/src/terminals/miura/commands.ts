import { type ApduCommandSpec, apduHeader } from '../apdu-command.js';
import { nameByCode } from '../code-table.js';
import { TerminalFormatError } from '../format-error.js';

/** The commands of a sale (MPI API; class and instruction bytes as in the maker's published library). */
export const COMMANDS = {
  reset: { cla: 0xd0, ins: 0x00, name: 'RESET DEVICE', blocking: false },
  deviceInfo: { cla: 0xd0, ins: 0x02, name: 'GET DEVICE INFO', blocking: false },
  clock: { cla: 0xd0, ins: 0x10, name: 'SYSTEM CLOCK', blocking: false },
  cardStatus: { cla: 0xd0, ins: 0x60, name: 'CARD STATUS', blocking: false },
  keyboardStatus: { cla: 0xd0, ins: 0x61, name: 'KEYBOARD STATUS', blocking: false },
  batteryStatus: { cla: 0xd0, ins: 0x62, name: 'BATTERY STATUS', blocking: false },
  abort: { cla: 0xd0, ins: 0xff, name: 'ABORT', blocking: false },
  displayText: { cla: 0xd2, ins: 0x01, name: 'DISPLAY TEXT', blocking: false },
  spoolPrint: { cla: 0xd2, ins: 0xa3, name: 'SPOOL PRINT', blocking: false },
  startContactless: { cla: 0xde, ins: 0xc1, name: 'START CONTACTLESS TRANSACTION', blocking: true },
  start: { cla: 0xde, ins: 0xd1, name: 'START TRANSACTION', blocking: true },
  continue: { cla: 0xde, ins: 0xd2, name: 'CONTINUE TRANSACTION', blocking: true },
  onlinePin: { cla: 0xde, ins: 0xd6, name: 'ONLINE PIN', blocking: true },
  p2peStatus: { cla: 0xee, ins: 0xe0, name: 'P2PE STATUS', blocking: false },
} as const satisfies Readonly<Record<string, ApduCommandSpec>>;

/** A command. */
export type CommandName = keyof typeof COMMANDS;

const find = nameByCode(COMMANDS, apduHeader);

/** A command and its parameters. */
export interface MiuraCommand {
  readonly command: CommandName;
  readonly p1: number;
  readonly p2: number;
  /** At most {@link MAX_COMMAND_DATA} bytes. */
  readonly data: Uint8Array;
}

/** Longest data of a command: 254 bytes of APDU less header and length. */
export const MAX_COMMAND_DATA = 249;
const HEADER_BYTES = 4;

/** Bits of P1 of CARD STATUS: what the device reports from now on, and with which data. */
export const CARD_STATUS_P1 = {
  unsolicited: 0x01,
  atr: 0x02,
  track1: 0x04,
  track2: 0x08,
  track3: 0x10,
} as const;
/** Parameters of DISPLAY TEXT: four rows; backlight on and UTF-8. */
export const DISPLAY_TEXT_P = { fourRows: 0x00, backlight: 0x01, utf8: 0x80 } as const;
/** P1 of SPOOL PRINT: a text is added to the spool; the spool is printed. */
export const SPOOL_P1 = { add: 0x00, print: 0x02 } as const;
/** P1 of ONLINE PIN. */
export const ONLINE_PIN_P1 = 0x01;
/** P1 of KEYBOARD STATUS: keys are reported as they are pressed. */
export const KEYBOARD_STATUS_ON = 0x01;

/** Writes a command APDU: header, and length and data where there are any. @throws TerminalFormatError */
export function encodeCommand({ command, p1, p2, data }: MiuraCommand): Buffer {
  const { cla, ins } = COMMANDS[command];
  const header = Buffer.of(cla, ins, p1, p2);
  if (data.length === 0) return header;
  if (data.length > MAX_COMMAND_DATA) {
    throw new TerminalFormatError('data', `has ${data.length} bytes, at most ${MAX_COMMAND_DATA}`);
  }
  return Buffer.concat([header, Buffer.of(data.length), data]);
}

/** A command APDU as a device reads it; `command` is undefined for one that it does not know. */
export interface DecodedCommand extends Omit<MiuraCommand, 'command'> {
  readonly command: CommandName | undefined;
}

/** Reads a command APDU; a trailing expected length is allowed. @throws TerminalFormatError when lengths do not agree */
export function decodeCommand(apdu: Uint8Array): DecodedCommand {
  const [cla, ins, p1, p2, length] = apdu;
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined) {
    throw new TerminalFormatError('command', `has ${apdu.length} bytes, at least ${HEADER_BYTES}`);
  }
  const command = find(apduHeader({ cla, ins }));
  if (length === undefined || apdu.length === HEADER_BYTES + 1)
    return { command, p1, p2, data: Buffer.alloc(0) };
  const data = Buffer.from(apdu.subarray(HEADER_BYTES + 1, HEADER_BYTES + 1 + length));
  const left = apdu.length - HEADER_BYTES - 1 - data.length;
  if (data.length !== length || left > 1) throw new TerminalFormatError('Lc', 'does not agree with the data');
  return { command, p1, p2, data };
}
