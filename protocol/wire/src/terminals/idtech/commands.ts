import { nameByCode } from '../code-table.js';

/**
 * How a device answers a command. `accepted` and `keypad`: one answer at once, another at its end. `late`: no
 * answer before people have ended it.
 */
type AnswerStyle = 'once' | 'late' | 'accepted' | 'keypad';

/** What must be known of a command. */
interface CommandSpec {
  readonly command: number;
  readonly sub: number;
  readonly name: string;
  readonly answers: AnswerStyle;
}

/** The commands of a sale (NEO 2 guide, protocol 2; VP6800 UI commands). */
export const COMMANDS = {
  ping: { command: 0x18, sub: 0x01, name: 'PING', answers: 'once' },
  serialNumber: { command: 0x12, sub: 0x01, name: 'GET SERIAL NUMBER', answers: 'once' },
  firmwareVersion: { command: 0x29, sub: 0x00, name: 'GET VERSION', answers: 'once' },
  setConfiguration: { command: 0x04, sub: 0x00, name: 'SET CONFIGURATION', answers: 'once' },
  setSwitchNotifications: { command: 0x01, sub: 0x07, name: 'SET SWITCH NOTIFICATIONS', answers: 'once' },
  dukptKeySerial: { command: 0x81, sub: 0x0b, name: 'GET DUKPT KEY KSN', answers: 'once' },
  cancel: { command: 0x05, sub: 0x01, name: 'CANCEL TRANSACTION', answers: 'once' },
  activate: { command: 0x02, sub: 0x40, name: 'ACTIVATE TRANSACTION', answers: 'accepted' },
  applicationData: { command: 0x60, sub: 0x01, name: 'RETRIEVE APPLICATION DATA', answers: 'once' },
  aidList: { command: 0x60, sub: 0x07, name: 'RETRIEVE AID LIST', answers: 'once' },
  setApplicationData: { command: 0x60, sub: 0x03, name: 'SET APPLICATION DATA', answers: 'once' },
  authenticate: { command: 0x60, sub: 0x11, name: 'AUTHENTICATE TRANSACTION', answers: 'accepted' },
  applyHostResponse: { command: 0x60, sub: 0x12, name: 'APPLY HOST RESPONSE', answers: 'accepted' },
  contactPowerOff: { command: 0x2c, sub: 0x18, name: 'CONTACT POWER OFF', answers: 'once' },
  showScreen: { command: 0x61, sub: 0x05, name: 'SHOW SCREEN', answers: 'once' },
  addObject: { command: 0x61, sub: 0x07, name: 'ADD OBJECT', answers: 'once' },
  updateObject: { command: 0x61, sub: 0x08, name: 'UPDATE OBJECT', answers: 'once' },
  createScreen: { command: 0x61, sub: 0x0a, name: 'CREATE SCREEN', answers: 'once' },
  systemScreen: { command: 0x61, sub: 0x17, name: 'SYSTEM SCREEN', answers: 'once' },
  cancelKeypad: { command: 0x62, sub: 0x00, name: 'CANCEL PIN ENTRY', answers: 'once' },
  encryptedPin: { command: 0x62, sub: 0x01, name: 'GET ENCRYPTED PIN', answers: 'keypad' },
  /**
   * Its page prints the header of protocol 3, and the sub-command where the answer's status stands; both are taken for a slip in
   * a guide of protocol 2 (from public sources incomplete). It is not among the commands with a first answer.
   */
  keyedCard: { command: 0x83, sub: 0x41, name: 'GET PAN', answers: 'late' },
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** A command. */
export type CommandName = keyof typeof COMMANDS;

const find = nameByCode(COMMANDS, ({ command, sub }) => (command << 8) | sub);
const KNOWN_COMMANDS: ReadonlySet<number> = new Set(Object.values(COMMANDS).map(({ command }) => command));

/** The command of these bytes; undefined for one that is not in the table. */
export function commandName(command: number, sub: number): CommandName | undefined {
  return find((command << 8) | sub);
}

/** Whether a command byte is known with any sub-command. */
export function knowsCommand(command: number): boolean {
  return KNOWN_COMMANDS.has(command);
}

/** What a device reports by itself. */
export const NOTIFICATIONS = {
  /** A button or a corner of the screen was pressed. */
  objectEvent: { command: 0x61, second: 0xff },
  /** A switch changed: the card seat. */
  switches: { command: 0xf2, second: 0x00 },
} as const;

/**
 * Bits of SET SWITCH NOTIFICATIONS, as GET SWITCH NOTIFICATIONS lists them. What a notification itself holds was not
 * read: one byte with the same bits, set while the switch is closed (from public sources incomplete).
 */
export const SWITCH_BITS = { cardSeated: 0x01 } as const;
