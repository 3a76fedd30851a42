import { TerminalFormatError } from '../format-error.js';

const SEPARATOR = 0x2f;
const TYPE_CHARACTERS = 2;

/** A request of the host. */
interface MessageSpec {
  /** Two characters; the answer's type is one character further. */
  readonly type: string;
  /** What people call it. */
  readonly name: string;
  /** `ack`: a bare ACK is the whole answer. */
  readonly reply: 'answer' | 'ack';
}

/** The requests of the published host, those that the driver uses first. */
export const MESSAGES = {
  status: { type: '90', name: 'STATUS', reply: 'answer' },
  keySerialNumber: { type: '34', name: 'GET DUKPT KSN', reply: 'answer' },
  increaseKeySerialNumber: { type: '7g', name: 'INCREASE DUKPT KSN', reply: 'answer' },
  cancelPin: { type: '38', name: 'CANCEL PIN', reply: 'answer' },
  display: { type: '3C', name: 'DISPLAY', reply: 'ack' },
  cardPresence: { type: 'BM', name: 'CARD PRESENCE', reply: 'answer' },
  level3: { type: 'L0', name: 'L3', reply: 'answer' },
  pinEntry: { type: '32', name: 'PIN ENTRY', reply: 'answer' },
  swipe: { type: 'J0', name: 'SWIPE', reply: 'answer' },
  dialog: { type: '6k', name: 'INPUT DIALOG', reply: 'answer' },
  beep: { type: '39', name: 'BEEP', reply: 'ack' },
  reboot: { type: 'A2', name: 'REBOOT', reply: 'answer' },
  loadKey: { type: '50', name: 'LOAD KEY', reply: 'answer' },
  keyCheckValue: { type: '52', name: 'KEY CHECK VALUE', reply: 'answer' },
  eraseKeys: { type: '60', name: 'ERASE KEYS', reply: 'answer' },
  crypt: { type: '80', name: 'CRYPT', reply: 'answer' },
  mac: { type: '8C', name: 'MAC', reply: 'answer' },
  keyInfo: { type: 'C2', name: 'KEY INFO', reply: 'answer' },
  scan: { type: 'G0', name: 'SCAN', reply: 'answer' },
  signature: { type: 'S0', name: 'SIGNATURE', reply: 'answer' },
} as const satisfies Readonly<Record<string, MessageSpec>>;

/** A request's name in {@link MESSAGES}. */
export type MessageName = keyof typeof MESSAGES;

const NAMES: ReadonlyMap<string, MessageName> = new Map(
  (Object.keys(MESSAGES) as MessageName[]).map((name) => [MESSAGES[name].type, name]),
);

/** The request that a type names; undefined for one that is not published. */
export function messageName(type: string): MessageName | undefined {
  return NAMES.get(type);
}

/** The type that answers a request: its last character is one further. */
export function answerType(type: string): string {
  return type.slice(0, -1) + String.fromCharCode(type.charCodeAt(type.length - 1) + 1);
}

/** One message: the data of a frame. */
export interface NewlandMessage {
  readonly type: string;
  readonly body: Buffer;
}

/** Type, separator, body. */
export function encodeMessage({ type, body }: NewlandMessage): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), Buffer.of(SEPARATOR), body]);
}

/** Reads the data of a frame. @throws TerminalFormatError */
export function decodeMessage(data: Uint8Array): NewlandMessage {
  const type = Buffer.from(data.subarray(0, TYPE_CHARACTERS)).toString('latin1');
  if (!/^[0-9A-Za-z]{2}$/.test(type)) throw new TerminalFormatError('type', 'must be two letters or digits');
  if (data[TYPE_CHARACTERS] !== SEPARATOR)
    throw new TerminalFormatError('type', 'must be followed by a slash');
  return { type, body: Buffer.from(data.subarray(TYPE_CHARACTERS + 1)) };
}
