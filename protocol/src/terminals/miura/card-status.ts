import { TerminalFormatError } from '../format-error.js';

/** Slot and stripe as the device tells them (tag 48). */
export interface CardStatus {
  /** A card sits in the slot. */
  readonly present: boolean;
  /** It answered its reset. */
  readonly emvCompatible: boolean;
  /** A stripe was swiped. */
  readonly stripe: boolean;
}

const PRESENT = 0x01;
const EMV_COMPATIBLE = 0x02;
const STRIPE = 0x01;
const TRACK_2 = 0x04;
const BYTES = 2;

/** Writes tag 48: slot, then stripe. */
export function encodeCardStatus({ present, emvCompatible, stripe }: CardStatus): Buffer {
  return Buffer.of(
    (present ? PRESENT : 0) | (emvCompatible ? EMV_COMPATIBLE : 0),
    stripe ? STRIPE | TRACK_2 : 0,
  );
}

/** Reads tag 48. @throws TerminalFormatError */
export function decodeCardStatus(value: Uint8Array): CardStatus {
  const [slot, stripe] = value;
  if (slot === undefined || stripe === undefined)
    throw new TerminalFormatError('tag 48', `must have ${BYTES} bytes`);
  return {
    present: (slot & PRESENT) !== 0,
    emvCompatible: (slot & EMV_COMPATIBLE) !== 0,
    stripe: (stripe & STRIPE) !== 0,
  };
}
