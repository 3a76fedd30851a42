import { crc16 } from '../crc16.js';
import { TerminalFormatError } from '../format-error.js';
import type { Parsed } from '../parsed.js';

/** Control bytes of the link (ABECS 2.12 §2.2). */
export const EOT = 0x04;
export const ACK = 0x06;
export const DC3 = 0x13;
export const NAK = 0x15;
export const SYN = 0x16;
export const ETB = 0x17;
export const CAN = 0x18;

/** Longest unescaped data a packet may carry, either way (ABECS 2.12 §2.2.1). */
export const MAX_PACKET_DATA = 2049;
/** Longest unescaped data of a TLV ("Abecs") command or its answer (ABECS 2.12 §3.1.3). */
export const MAX_ABECS_DATA = 2044;
/** Longest unescaped data of a classic command or its answer (ABECS 2.12 §2.2.1, §3.1.3). */
export const MAX_CLASSIC_DATA = 1024;

const ESCAPE_OFFSET = 0x20;
const NOTHING = Buffer.alloc(0);

const END_OF_DATA = Uint8Array.of(ETB);
/** Bytes around the data of a packet: SYN, ETB, two of the CRC. */
const PACKET_OVERHEAD = 4;

function packetCrc(data: Uint8Array): number {
  return crc16(END_OF_DATA, crc16(data));
}

/**
 * One packet: SYN, escaped data, ETB, CRC big endian over the unescaped data and ETB (ABECS 2.12 §2.2.1).
 * @throws TerminalFormatError when the data is longer than {@link MAX_PACKET_DATA}.
 */
export function encodePacket(data: Uint8Array): Buffer {
  if (data.length > MAX_PACKET_DATA) {
    throw new TerminalFormatError('packet', `${data.length} bytes of data, at most ${MAX_PACKET_DATA}`);
  }
  const out = Buffer.allocUnsafe(2 * data.length + PACKET_OVERHEAD);
  let at = 0;
  out[at++] = SYN;
  for (const byte of data) {
    if (byte === DC3 || byte === SYN || byte === ETB) {
      out[at++] = DC3;
      out[at++] = byte + ESCAPE_OFFSET;
    } else out[at++] = byte;
  }
  out[at++] = ETB;
  at = out.writeUInt16BE(packetCrc(data), at);
  return out.subarray(0, at);
}

/** What the parser found in the bytes. */
export type FrameEvent =
  | { readonly kind: 'packet'; readonly data: Buffer }
  /** A whole packet whose CRC is wrong: the receiver requests it again with NAK. */
  | { readonly kind: 'bad-crc' }
  /** More data than a packet may carry; everything up to the next SYN is dropped. */
  | { readonly kind: 'oversize' }
  /** A SYN inside a packet: the started packet was torn and is dropped, a new one begins. */
  | { readonly kind: 'torn' }
  | { readonly kind: 'ack' | 'nak' | 'can' | 'eot' }
  /** Bytes outside a packet that mean nothing. */
  | { readonly kind: 'garbage'; readonly length: number };

/** Where the parser stands between two pieces. `data` never grows beyond {@link MAX_PACKET_DATA}. */
export interface FrameParserState {
  readonly phase: 'idle' | 'data' | 'escape' | 'crc-high' | 'crc-low' | 'overflow';
  readonly data: Buffer;
  readonly crcHigh: number;
}

/** A parser that has seen nothing. */
export const INITIAL_FRAME_STATE: FrameParserState = { phase: 'idle', data: NOTHING, crcHigh: 0 };

/** True while a packet has begun and not ended: the inter-byte limit applies. */
export function insidePacket(state: FrameParserState): boolean {
  return state.phase !== 'idle' && state.phase !== 'overflow';
}

const CONTROL_EVENTS = new Map<number, FrameEvent>([
  [ACK, { kind: 'ack' }],
  [NAK, { kind: 'nak' }],
  [CAN, { kind: 'can' }],
  [EOT, { kind: 'eot' }],
]);

class FrameRun {
  readonly events: FrameEvent[] = [];
  private phase: FrameParserState['phase'];
  private readonly data: number[];
  private crcHigh: number;
  private garbage = 0;

  constructor(state: FrameParserState) {
    this.phase = state.phase;
    this.data = [...state.data];
    this.crcHigh = state.crcHigh;
  }

  finish(): FrameParserState {
    this.flushGarbage();
    const data = this.data.length === 0 ? NOTHING : Buffer.from(this.data);
    return { phase: this.phase, data, crcHigh: this.crcHigh };
  }

  feed(byte: number): void {
    if (this.phase === 'idle') this.feedIdle(byte);
    else if (this.phase === 'overflow') this.feedOverflow(byte);
    else if (this.phase === 'data') this.feedData(byte);
    else if (this.phase === 'escape') this.feedEscaped(byte);
    else if (this.phase === 'crc-high') {
      this.crcHigh = byte;
      this.phase = 'crc-low';
    } else this.endPacket((this.crcHigh << 8) | byte);
  }

  private feedOverflow(byte: number): void {
    if (byte === SYN) this.begin();
  }

  private feedEscaped(byte: number): void {
    if (byte === SYN) {
      this.tear();
      return;
    }
    this.phase = 'data';
    this.append((byte - ESCAPE_OFFSET) & 0xff);
  }

  private feedIdle(byte: number): void {
    const control = CONTROL_EVENTS.get(byte);
    if (byte === SYN) this.begin();
    else if (control) this.emit(control);
    else this.garbage += 1;
  }

  private feedData(byte: number): void {
    if (byte === SYN) this.tear();
    else if (byte === ETB) this.phase = 'crc-high';
    else if (byte === DC3) this.phase = 'escape';
    else this.append(byte);
  }

  private begin(): void {
    this.flushGarbage();
    this.data.length = 0;
    this.phase = 'data';
  }

  private tear(): void {
    this.emit({ kind: 'torn' });
    this.begin();
  }

  private append(byte: number): void {
    if (this.data.length < MAX_PACKET_DATA) {
      this.data.push(byte);
      return;
    }
    this.data.length = 0;
    this.phase = 'overflow';
    this.emit({ kind: 'oversize' });
  }

  private endPacket(crc: number): void {
    const data = Buffer.from(this.data);
    this.data.length = 0;
    this.phase = 'idle';
    this.emit(crc === packetCrc(data) ? { kind: 'packet', data } : { kind: 'bad-crc' });
  }

  private emit(event: FrameEvent): void {
    this.flushGarbage();
    this.events.push(event);
  }

  private flushGarbage(): void {
    if (this.garbage > 0) this.events.push({ kind: 'garbage', length: this.garbage });
    this.garbage = 0;
  }
}

/**
 * Feeds a piece of the stream. Pure: the same state and bytes give the same answer, however the stream is cut.
 * Any byte sequence is accepted; only SYN, ETB and DC3 have a meaning inside a packet.
 */
export function parseFrames(
  state: FrameParserState,
  bytes: Uint8Array,
): Parsed<FrameParserState, FrameEvent> {
  const run = new FrameRun(state);
  for (const byte of bytes) run.feed(byte);
  return { state: run.finish(), events: run.events };
}
