import { wipe } from '../../bytes.js';
import type { Clock, Timer } from '../../seams/clock.js';
import { maskBytes } from './mask-bytes.js';
import { encodeEvent, encodeHeader, type TraceEvent, type TraceHeader } from './trace.js';
import { type WireForm, wireFormOf } from './wire-payloads.js';

/** A trace that grew to this is full: recording ends, the terminal goes on. */
export const MAX_TRACE_BYTES = 64 * 1024 * 1024;
/** How long a piece waits for the next one of the same side: a line may cut a card number in two. */
export const MASK_WAIT_MS = 500;
/** Most bytes that wait so. */
export const MASK_WINDOW_BYTES = 4_096;
/** Bytes that stay behind when more wait: longer than any track or object that is looked for, heads of reports between its bytes. */
const MASK_OVERLAP_BYTES = 256;

/** Where the lines of a trace go. */
interface TraceSink {
  /** @throws the file system's error; nothing more is appended then */
  append(text: string): void;
  close(): void;
}

/** What a recording needs. */
export interface TraceRecorderDeps {
  readonly header: Omit<TraceHeader, 'startedAt'>;
  readonly sink: TraceSink;
  readonly clock: Clock;
  /** Called once when nothing more can be recorded. */
  readonly onFault: (reason: string) => void;
}

type Piece = Extract<TraceEvent, { kind: 'bytes' }>;

/**
 * Writes a trace, masked, piece by piece as a line brought them. Pieces of one side that follow each other are looked at as
 * one, so that what is hidden does not hang on where the line cut it. A fault of the disk ends the recording alone.
 */
export class TraceRecorder {
  readonly #deps: TraceRecorderDeps;
  readonly #startedMs: number;
  readonly #form: WireForm;
  #waiting: Piece[] = [];
  #timer: Timer | undefined;
  #writtenBytes = 0;
  #ended = false;

  constructor(deps: TraceRecorderDeps) {
    const { header, clock } = deps;
    this.#deps = deps;
    this.#startedMs = clock.monotonicMs();
    this.#form = wireFormOf(header.deviceType, header.transport);
    this.#line(encodeHeader({ ...header, startedAt: new Date(clock.nowMs()).toISOString() }));
  }

  /** The line was opened or closed. */
  mark(kind: 'open' | 'closed'): void {
    this.#flush();
    this.#line(encodeEvent({ kind, atMs: this.#elapsedMs }));
  }

  /** Bytes passed; they are copied. */
  bytes(from: Piece['from'], bytes: Uint8Array): void {
    if (this.#ended) return;
    if (this.#waiting.some((piece) => piece.from !== from)) this.#flush();
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.setTimer(MASK_WAIT_MS, () => this.#flush());
    this.#waiting.push({ kind: 'bytes', atMs: this.#elapsedMs, from, bytes: Buffer.from(bytes) });
    const waitingBytes = this.#waiting.reduce((sum, piece) => sum + piece.bytes.length, 0);
    if (waitingBytes > MASK_WINDOW_BYTES) this.#write(MASK_OVERLAP_BYTES);
  }

  /** Ends the recording. */
  close(): void {
    this.#flush();
    this.#end();
  }

  get #elapsedMs(): number {
    return Math.round(this.#deps.clock.monotonicMs() - this.#startedMs);
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#write(0);
  }

  /** Masks what waits as one, and writes it but for the last bytes, which the next piece may go on with. */
  #write(overlapBytes: number): void {
    const raw = this.#waiting.map(({ bytes }) => bytes);
    const masked = maskBytes(Buffer.concat(raw), this.#form);
    let end = 0;
    const pieces = this.#waiting.map((piece) => {
      const begin = end;
      end += piece.bytes.length;
      return { ...piece, bytes: masked.subarray(begin, end), leftBytes: masked.length - end };
    });
    wipe(...raw);
    this.#waiting = pieces.filter(({ leftBytes }) => leftBytes < overlapBytes);
    for (const piece of pieces) if (piece.leftBytes >= overlapBytes) this.#line(encodeEvent(piece));
  }

  #line(text: string): void {
    if (this.#ended) return;
    try {
      this.#writtenBytes += text.length + 1;
      if (this.#writtenBytes > MAX_TRACE_BYTES) this.#stop(`it has ${MAX_TRACE_BYTES} bytes`);
      else this.#deps.sink.append(`${text}\n`);
    } catch (error) {
      this.#stop(error instanceof Error ? error.message : String(error));
    }
  }

  #stop(reason: string): void {
    this.#end();
    this.#deps.onFault(reason);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer?.cancel();
    wipe(...this.#waiting.map(({ bytes }) => bytes));
    this.#waiting = [];
    this.#deps.sink.close();
  }
}
