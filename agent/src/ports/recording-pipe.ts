import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import {
  encodeEvent,
  encodeHeader,
  type TraceEvent,
  type TraceHeader,
} from '@tillbridge/protocol/terminals/trace/trace.js';

/** A trace that grew to this is full: recording ends, the terminal goes on. */
export const MAX_TRACE_BYTES = 64 * 1024 * 1024;

/** A file into which the sessions of one terminal are recorded, masked. */
export interface TraceFile {
  /** Records what passes through a pipe from now on. */
  watch(pipe: BytePipe): BytePipe;
  /** Ends the recording. */
  close(): void;
}

/** What a trace file needs. */
export interface TraceFileOptions {
  readonly path: string;
  readonly header: Omit<TraceHeader, 'startedAt'>;
  readonly clock: Clock;
  /** Told once when nothing more can be recorded. */
  readonly onFault: (reason: string) => void;
}

class FileTrace implements TraceFile {
  private readonly options: TraceFileOptions;
  private readonly startedMs: number;
  private fd: number | undefined;

  constructor(options: TraceFileOptions) {
    const { path, header, clock } = options;
    this.options = options;
    this.startedMs = clock.monotonicMs();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.fd = openSync(path, 'w', 0o600);
    this.line(encodeHeader({ ...header, startedAt: new Date(clock.nowMs()).toISOString() }));
  }

  watch(pipe: BytePipe): BytePipe {
    this.record({ kind: 'open', atMs: this.elapsedMs() });
    pipe.onData((bytes) => this.bytes('device', bytes));
    pipe.onClose(() => this.record({ kind: 'closed', atMs: this.elapsedMs() }));
    return {
      name: pipe.name,
      write: (bytes) => {
        this.bytes('host', bytes);
        return pipe.write(bytes);
      },
      onData: (listener) => pipe.onData(listener),
      onClose: (listener) => pipe.onClose(listener),
      close: () => pipe.close(),
    };
  }

  close(): void {
    const { fd } = this;
    this.fd = undefined;
    if (fd !== undefined) closeSync(fd);
  }

  private elapsedMs(): number {
    return Math.round(this.options.clock.monotonicMs() - this.startedMs);
  }

  private bytes(from: 'host' | 'device', bytes: Uint8Array): void {
    this.record({ kind: 'bytes', atMs: this.elapsedMs(), from, bytes: Buffer.from(bytes) });
  }

  private record(event: TraceEvent): void {
    this.line(encodeEvent(event));
  }

  /** A recording never stands in the way of a sale: a fault of the disk ends the recording alone. */
  private line(text: string): void {
    const { fd } = this;
    if (fd === undefined) return;
    try {
      if (fstatSync(fd).size + text.length > MAX_TRACE_BYTES) this.stop(`it has ${MAX_TRACE_BYTES} bytes`);
      else writeSync(fd, `${text}\n`);
    } catch (error) {
      this.stop(error instanceof Error ? error.message : String(error));
    }
  }

  private stop(reason: string): void {
    this.close();
    this.options.onFault(`recording into ${this.options.path} ended: ${reason}`);
  }
}

/** Begins a trace; a former one of that name is replaced. @throws the file system's error */
export function openTraceFile(options: TraceFileOptions): TraceFile {
  return new FileTrace(options);
}
