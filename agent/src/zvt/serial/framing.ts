import { APDU_LIMITS } from '../messages/apdu.js';

/** Control bytes of the line. */
export const DLE = 0x10;
export const STX = 0x02;
export const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;

/** x^16 + x^12 + x^5 + 1, the lowest bit first. */
const POLYNOMIAL = 0x8408;
/** Header and data of the longest message. */
const MAX_FRAME_BYTES = APDU_LIMITS.maxDataBytes + 5;

const REMAINDERS: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1)
    remainder = (remainder & 1) !== 0 ? (remainder >>> 1) ^ POLYNOMIAL : remainder >>> 1;
  return remainder;
});

/** The checksum of a message: over its bytes and the ETX behind them, before any DLE is doubled. */
export function frameCrc(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of [...bytes, ETX]) crc = (crc >>> 8) ^ (REMAINDERS[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}

/** A message as it goes over the line: DLE STX, the message with each DLE doubled, DLE ETX, and the checksum, lower byte first. */
export function encodeFrame(message: Uint8Array): Buffer {
  const crc = frameCrc(message);
  const doubled = [...message].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]));
  return Buffer.from([DLE, STX, ...doubled, DLE, ETX, crc & 0xff, crc >>> 8]);
}

/** What was found in the bytes of the line. */
export type FrameEvent =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** A frame whose checksum is wrong, or that breaks a rule: the other side sends it again after a NAK. */
  | { readonly kind: 'bad-frame' }
  | { readonly kind: 'ack' | 'nak' };

type State =
  | { readonly kind: 'outside'; readonly dle: boolean }
  | { readonly kind: 'inside'; readonly dle: boolean }
  | { readonly kind: 'checksum'; readonly first?: number };

const OUTSIDE: State = { kind: 'outside', dle: false };

/** Finds frames and acknowledgements in bytes that come in pieces. Bytes outside of a frame that mean nothing are left out. */
export class FrameReader {
  #state: State = OUTSIDE;
  #bytes: number[] = [];

  /** Begins anew: what was received of a frame is dropped. */
  reset(): void {
    this.#state = OUTSIDE;
    this.#bytes = [];
  }

  /** Whether a frame has begun and not ended. */
  get isInside(): boolean {
    return this.#state.kind !== 'outside';
  }

  push(bytes: Uint8Array): readonly FrameEvent[] {
    return [...bytes].flatMap((byte) => this.#take(byte) ?? []);
  }

  #take(byte: number): FrameEvent | undefined {
    switch (this.#state.kind) {
      case 'outside':
        return this.#outside(byte, this.#state.dle);
      case 'inside':
        return this.#inside(byte, this.#state.dle);
      case 'checksum':
        return this.#checksum(byte, this.#state.first);
    }
  }

  #outside(byte: number, dle: boolean): FrameEvent | undefined {
    if (dle && byte === STX) {
      this.#bytes = [];
      this.#state = { kind: 'inside', dle: false };
      return undefined;
    }
    this.#state = { kind: 'outside', dle: byte === DLE };
    return byte === ACK ? { kind: 'ack' } : byte === NAK ? { kind: 'nak' } : undefined;
  }

  #inside(byte: number, dle: boolean): FrameEvent | undefined {
    if (!dle && byte === DLE) {
      this.#state = { kind: 'inside', dle: true };
      return undefined;
    }
    if (dle && byte === ETX) {
      this.#state = { kind: 'checksum' };
      return undefined;
    }
    // A frame that begins anew: the sender gave up the former.
    if (dle && byte === STX) {
      this.#bytes = [];
      this.#state = { kind: 'inside', dle: false };
      return undefined;
    }
    if ((dle && byte !== DLE) || this.#bytes.length >= MAX_FRAME_BYTES) return this.#bad();
    this.#bytes.push(byte);
    this.#state = { kind: 'inside', dle: false };
    return undefined;
  }

  #checksum(byte: number, first: number | undefined): FrameEvent | undefined {
    if (first === undefined) {
      this.#state = { kind: 'checksum', first: byte };
      return undefined;
    }
    const bytes = Buffer.from(this.#bytes);
    if (frameCrc(bytes) !== (first | (byte << 8))) return this.#bad();
    this.reset();
    return { kind: 'message', bytes };
  }

  #bad(): FrameEvent {
    this.reset();
    return { kind: 'bad-frame' };
  }
}
