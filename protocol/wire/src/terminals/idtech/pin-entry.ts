import { fromHex, toHex } from '../../bytes.js';
import { TerminalFormatError } from '../format-error.js';
import { KEYPAD_STATES } from './statuses.js';

/** First byte of GET ENCRYPTED PIN: the DUKPT key, and the PAN that the device read itself. */
const DUKPT_INTERNAL_PAN = 0x01;
const MAX_PIN_DIGITS = 12;
const MIN_PIN_DIGITS = 4;
const KSN_BYTES = { tdes: 10, aes: 12 } as const;
const BLOCK_BYTES = { tdes: 8, aes: 16 } as const;
const HEX = /^[0-9A-F]*$/;

/** Data of GET ENCRYPTED PIN (62-01) for the card that was read last: no PAN, 4 to 12 digits, no text of the host. */
export const PIN_REQUEST = Buffer.of(DUKPT_INTERNAL_PAN, 0, MAX_PIN_DIGITS, MIN_PIN_DIGITS, 0);

/** Reads the data of 62-01; only the DUKPT key and the device's own PAN are known. @throws TerminalFormatError */
export function requirePinRequest(data: Uint8Array): void {
  const [keyType, panLength, max = 0, min = 0] = data;
  if (keyType !== DUKPT_INTERNAL_PAN || panLength !== 0) {
    throw new TerminalFormatError('key type', 'must be the DUKPT key and the internal PAN');
  }
  if (min < MIN_PIN_DIGITS || max > MAX_PIN_DIGITS || min > max) {
    throw new TerminalFormatError('PIN length', `must be ${MIN_PIN_DIGITS} to ${MAX_PIN_DIGITS}`);
  }
}

/**
 * How a PIN entry ended. `state` is one of {@link KEYPAD_STATES} where no PIN came; none of them states that a cardholder skipped it
 * (from public sources incomplete).
 */
type PinAnswer =
  | { readonly kind: 'pin'; readonly ksn: Uint8Array; readonly block: Uint8Array }
  | { readonly kind: 'state'; readonly state: number };

/** Writes the data of the second answer: state, KSN and PIN block in hex characters. */
export function encodePinAnswer(answer: PinAnswer): Buffer {
  if (answer.kind === 'state') return Buffer.of(answer.state);
  const text = Buffer.from(toHex(answer.ksn) + toHex(answer.block), 'latin1');
  return Buffer.concat([Buffer.of(KEYPAD_STATES.success), text]);
}

/** Reads the data of the second answer. @throws TerminalFormatError */
export function decodePinAnswer(data: Uint8Array): PinAnswer {
  const [state] = data;
  if (state === undefined) throw new TerminalFormatError('PIN answer', 'holds no state');
  if (state !== KEYPAD_STATES.success) return { kind: 'state', state };
  const text = Buffer.from(data.subarray(1)).toString('latin1');
  for (const cipher of ['tdes', 'aes'] as const) {
    const [ksnDigits, blockDigits] = [KSN_BYTES[cipher] * 2, BLOCK_BYTES[cipher] * 2];
    if (text.length === ksnDigits + blockDigits && HEX.test(text)) {
      return { kind: 'pin', ksn: fromHex(text.slice(0, ksnDigits)), block: fromHex(text.slice(ksnDigits)) };
    }
  }
  throw new TerminalFormatError('PIN answer', 'is no KSN and PIN block in hex characters');
}
