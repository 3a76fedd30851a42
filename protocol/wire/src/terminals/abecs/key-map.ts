import { TerminalFormatError } from '../format-error.js';

/** One slot of a key map: not loaded, loaded, or beyond what the device has. */
type KeySlot = 'absent' | 'loaded' | 'unsupported';

/** Slots 00-99 of every key kind (ABECS 2.12 §3.1.3.2, PP_MK… and PP_DKPT…). */
export const KEY_SLOTS = 100;

const SLOTS: readonly KeySlot[] = ['absent', 'loaded', 'unsupported'];

/** Reads a key map of 100 characters. @throws TerminalFormatError */
export function decodeKeyMap(text: string): KeySlot[] {
  if (!/^[0-2]{100}$/.test(text))
    throw new TerminalFormatError('key map', `must be ${KEY_SLOTS} characters of 0, 1, 2`);
  return [...text].map((slot) => SLOTS[Number(slot)] ?? 'unsupported');
}

/** Writes a key map; slots beyond the array are unsupported. @throws TerminalFormatError */
export function encodeKeyMap(slots: readonly KeySlot[]): string {
  if (slots.length > KEY_SLOTS)
    throw new TerminalFormatError('key map', `${slots.length} slots, at most ${KEY_SLOTS}`);
  return slots
    .map((slot) => String(SLOTS.indexOf(slot)))
    .join('')
    .padEnd(KEY_SLOTS, String(SLOTS.indexOf('unsupported')));
}

/** A key index as ABECS writes it: two digits. @throws TerminalFormatError */
export function keyIndexText(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= KEY_SLOTS) {
    throw new TerminalFormatError('key index', `must be an integer from 0 to ${KEY_SLOTS - 1}`);
  }
  return String(index).padStart(2, '0');
}
