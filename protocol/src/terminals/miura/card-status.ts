import { TerminalFormatError } from '../format-error.js';

/** Slot and magstripe as the device tells them (tag 48). */
export interface CardStatus {
  /** A card sits in the slot. */
  readonly present: boolean;
  /** It answered its reset. */
  readonly emvCompatible: boolean;
  /** A magstripe was swiped. */
  readonly magstripe: boolean;
}

const PRESENT = 0x01;
const EMV_COMPATIBLE = 0x02;
const MAGSTRIPE = 0x01;
const TRACK_2 = 0x04;
const BYTES = 2;

/** Writes tag 48: slot, then magstripe. */
export function encodeCardStatus({ present, emvCompatible, magstripe }: CardStatus): Buffer {
  return Buffer.of(
    (present ? PRESENT : 0) | (emvCompatible ? EMV_COMPATIBLE : 0),
    magstripe ? MAGSTRIPE | TRACK_2 : 0,
  );
}

/** Reads tag 48. @throws TerminalFormatError */
export function decodeCardStatus(value: Uint8Array): CardStatus {
  const [slot, magstripe] = value;
  if (slot === undefined || magstripe === undefined)
    throw new TerminalFormatError('tag 48', `must have ${BYTES} bytes`);
  return {
    present: (slot & PRESENT) !== 0,
    emvCompatible: (slot & EMV_COMPATIBLE) !== 0,
    magstripe: (magstripe & MAGSTRIPE) !== 0,
  };
}
