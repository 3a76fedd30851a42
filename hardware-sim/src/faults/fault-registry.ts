import type { Random } from '@tillbridge/wire/seams/random.js';
import type { DeviceFaultName, Fault } from './fault.js';
import { isDeviceFault } from './fault.js';
import { seededRandom } from './seeded-random.js';

const ACK = 0x06;

/** How line faults act on a model's frames. */
export interface LineStyle {
  /** Bends a frame so that its check value is wrong; without it the last byte is bent. */
  readonly corrupt?: (frame: Uint8Array) => Uint8Array;
  /** Reports of HID keep their borders: they cannot be split, glued or slowed down. */
  readonly reports?: boolean;
}

interface Laid {
  readonly fault: Fault;
  /** Draws which pieces are hit. */
  readonly random: Random;
  skip: number;
  left: number;
}

/** What becomes of one piece. */
interface FaultAction {
  readonly pieces: readonly Uint8Array[];
  readonly delayMs: number;
  /** Pause before each piece. */
  readonly paceMs: number;
  /** A frame that the host did not ask for goes first. */
  readonly unsolicited: boolean;
  /** The piece waits this long for the next, to go out in one with it; 0 does not wait. */
  readonly glueMs: number;
  readonly reset: boolean;
  /** The plug is pulled in place of sending, for so long. */
  readonly unplugMs: number | undefined;
}

const NO_REPORT_FAULTS: ReadonlySet<string> = new Set(['split', 'split-bytes', 'glue', 'slow']);

/** The faults that are set on a terminal; they stay when the line is replaced. */
export class FaultRegistry {
  readonly #style: LineStyle;
  #laid: Laid[] = [];
  #deviceFaults: readonly DeviceFaultName[] = [];
  readonly #onDevice: (faults: readonly DeviceFaultName[]) => void;

  /** @param onDevice called with the faults of the device itself whenever they change */
  constructor(
    style: LineStyle = {},
    onDevice: (faults: readonly DeviceFaultName[]) => void = () => undefined,
  ) {
    this.#style = style;
    this.#onDevice = onDevice;
  }

  /** Replaces all faults. */
  lay(faults: readonly Fault[]): void {
    const line = faults.filter(({ name }) => !isDeviceFault(name));
    this.#laid = line.map((fault) => ({
      fault,
      random: seededRandom(fault.seed),
      skip: fault.skip,
      left: fault.times,
    }));
    this.#deviceFaults = faults.map(({ name }) => name).filter(isDeviceFault);
    this.#onDevice(this.#deviceFaults);
  }

  /** The faults that still wait for something to hit, and those that stand. */
  get pending(): readonly Fault[] {
    const standing = this.#deviceFaults.map((name) => ({ name, skip: 0, times: 1, delayMs: 0, seed: 1 }));
    return [...this.#laid.map(({ fault, skip, left }) => ({ ...fault, skip, times: left })), ...standing];
  }

  /** Decides what becomes of a piece that the terminal sends. */
  strike(bytes: Uint8Array): FaultAction {
    let faultAction: FaultAction = {
      pieces: [bytes],
      delayMs: 0,
      paceMs: 0,
      unsolicited: false,
      glueMs: 0,
      reset: false,
      unplugMs: undefined,
    };
    for (const laid of this.#laid) {
      if (!this.#concerns(laid.fault, bytes)) continue;
      if (laid.skip > 0) laid.skip -= 1;
      else if (laid.left > 0 && isChosen(laid)) {
        laid.left -= 1;
        faultAction = this.#apply(laid.fault, faultAction);
      }
    }
    this.#laid = this.#laid.filter(({ left }) => left > 0);
    return faultAction;
  }

  /** A control byte alone is a confirmation; everything longer is a frame. */
  #concerns({ name }: Fault, bytes: Uint8Array): boolean {
    if (name === 'drop-ack') return bytes.length === 1 && bytes[0] === ACK;
    if (this.#style.reports && NO_REPORT_FAULTS.has(name)) return false;
    return bytes.length > 1;
  }

  #apply(fault: Fault, faultAction: FaultAction): FaultAction {
    switch (fault.name) {
      case 'drop-ack':
        return { ...faultAction, pieces: [] };
      case 'corrupt-crc':
        return { ...faultAction, pieces: faultAction.pieces.map(this.#style.corrupt ?? withBentEnd) };
      case 'delay':
        return { ...faultAction, delayMs: faultAction.delayMs + fault.delayMs };
      case 'split':
        return { ...faultAction, pieces: faultAction.pieces.flatMap((piece) => cut(piece, fault.seed)) };
      case 'split-bytes':
        return { ...faultAction, pieces: faultAction.pieces.flatMap(singleBytes) };
      case 'slow':
        return { ...faultAction, pieces: faultAction.pieces.flatMap(singleBytes), paceMs: fault.delayMs };
      case 'glue':
        return { ...faultAction, glueMs: fault.delayMs };
      case 'unsolicited':
        return { ...faultAction, unsolicited: true };
      case 'repeat':
        return { ...faultAction, pieces: [...faultAction.pieces, ...faultAction.pieces] };
      case 'reset':
        return { ...faultAction, pieces: [], reset: true };
      case 'unplug':
        return { ...faultAction, pieces: [], unplugMs: fault.delayMs };
      default:
        return faultAction;
    }
  }
}

/** Bytes that stand for a hundred percent: a multiple of 100, so that each percent has as many. */
const BYTES_OF_ALL = 200;

/** Whether a fault with a rate hits this piece; the same seed chooses the same pieces. */
function isChosen({ fault: { ratePercent = 100 }, random }: Laid): boolean {
  if (ratePercent >= 100) return true;
  for (;;) {
    const [byte = 0] = random.bytes(1);
    if (byte < BYTES_OF_ALL) return byte % 100 < ratePercent;
  }
}

function withBentEnd(piece: Uint8Array): Uint8Array {
  const bent = Uint8Array.from(piece);
  const last = bent.length - 1;
  bent[last] = (bent[last] ?? 0) ^ 0xff;
  return bent;
}

function singleBytes(piece: Uint8Array): Uint8Array[] {
  return Array.from(piece, (_, at) => piece.subarray(at, at + 1));
}

/** Pieces of one to eight bytes. */
function cut(piece: Uint8Array, seed: number): Uint8Array[] {
  const random = seededRandom(seed);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < piece.length; ) {
    const length = ((random.bytes(1)[0] ?? 0) % 8) + 1;
    pieces.push(piece.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
