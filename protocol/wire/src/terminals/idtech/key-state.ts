import { TerminalFormatError } from '../format-error.js';

/** Key name indexes of GET DUKPT KEY KSN (81-0B). */
const KEY_NAMES = { pin: 0x01, data: 0x02 } as const;
export type KeyName = keyof typeof KEY_NAMES;

/** States of a DUKPT key. */
const KEY_STATES = { unused: 0x00, valid: 0x01, endOfLife: 0x02, notAvailable: 0xff } as const;
export type KeyStateName = keyof typeof KEY_STATES;

/** Data of 81-0B: the key's name, slot 0. */
export function encodeKeyRequest(name: KeyName): Buffer {
  return Buffer.of(KEY_NAMES[name], 0, 0);
}

/** Reads the data of 81-0B; undefined for a key that is not in the table. @throws TerminalFormatError */
export function decodeKeyRequest(data: Uint8Array): KeyName | undefined {
  if (data.length !== 3) throw new TerminalFormatError('key request', 'must have 3 bytes');
  return data[0] === KEY_NAMES.pin ? 'pin' : data[0] === KEY_NAMES.data ? 'data' : undefined;
}

/** A device's report of a key. */
interface KeyState {
  readonly state: KeyStateName;
  /** Ten or twelve bytes; present while the key is. */
  readonly ksn?: Uint8Array;
}

/** Writes the answer of 81-0B. */
export function encodeKeyState({ state, ksn }: KeyState): Buffer {
  const key = ksn ? [Buffer.of(ksn.length), ksn] : [];
  return Buffer.concat([Buffer.of(KEY_STATES[state]), ...key]);
}

/** Reads the answer of 81-0B. @throws TerminalFormatError */
export function decodeKeyState(data: Uint8Array): KeyState {
  const [code, length] = data;
  const state = (Object.keys(KEY_STATES) as KeyStateName[]).find((name) => KEY_STATES[name] === code);
  if (!state) throw new TerminalFormatError('key state', 'is none that is known');
  if (length === undefined) return { state };
  const ksn = Buffer.from(data.subarray(2));
  if (ksn.length !== length)
    throw new TerminalFormatError('KSN', `must have the ${length} bytes of its length`);
  return { state, ...(length > 0 && { ksn }) };
}
