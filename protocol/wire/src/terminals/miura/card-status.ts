import { TerminalFormatError } from '../format-error.js';

/** Slot and magstripe as the device reports them (tag 48). */
export interface CardStatus {
  /** A card sits in the slot. */
  readonly present: boolean;
  /** It answered its reset. */
  readonly emvCompatible: boolean;
  /** A magstripe was swiped: its first two tracks are there. */
  readonly magstripe: boolean;
}

const SLOT = { present: 0x01, emvCompatible: 0x02 } as const;
const TRACKS = { swiped: 0x01, track1: 0x02, track2: 0x04 } as const;

/** Writes tag 48: slot, then magstripe. */
export function encodeCardStatus({ present, emvCompatible, magstripe }: CardStatus): Buffer {
  return Buffer.of(
    (present ? SLOT.present : 0) | (emvCompatible ? SLOT.emvCompatible : 0),
    magstripe ? TRACKS.swiped | TRACKS.track1 | TRACKS.track2 : 0,
  );
}

/** Reads tag 48. @throws TerminalFormatError */
export function decodeCardStatus(value: Uint8Array): CardStatus {
  const [slot, magstripe] = value;
  if (slot === undefined || magstripe === undefined)
    throw new TerminalFormatError('tag 48', 'must have 2 bytes');
  return {
    present: (slot & SLOT.present) !== 0,
    emvCompatible: (slot & SLOT.emvCompatible) !== 0,
    magstripe: (magstripe & TRACKS.swiped) !== 0,
  };
}
