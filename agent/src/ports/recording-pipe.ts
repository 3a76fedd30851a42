import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { overPipe } from '@tillbridge/wire/seams/base-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { TraceRecorder, type TraceRecorderDeps } from '@tillbridge/wire/terminals/trace/trace-recorder.js';

/** A file into which the sessions of one terminal are recorded, masked. */
export interface TraceFile {
  /** Records what passes through a pipe from now on. */
  watch(pipe: BytePipe): BytePipe;
  /** Ends the recording. */
  close(): void;
}

/** What a trace file needs. */
interface TraceFileOptions extends Omit<TraceRecorderDeps, 'sink'> {
  readonly path: string;
}

/**
 * Begins a trace; a former one of that name is replaced. A recording never stands in the way of a sale: a fault of the disk
 * ends only the recording.
 * @throws the file system's error
 */
export function openTraceFile({ path, header, clock, onFault }: TraceFileOptions): TraceFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, 'w', 0o600);
  const recorder = new TraceRecorder({
    header,
    clock,
    sink: { append: (text) => writeSync(fd, text), close: () => closeSync(fd) },
    onFault: (reason) => onFault(`recording into ${path} ended: ${reason}`),
  });
  return { watch: (pipe) => recorded(pipe, recorder), close: () => recorder.close() };
}

function recorded(pipe: BytePipe, recorder: TraceRecorder): BytePipe {
  recorder.mark('open');
  pipe.onData((bytes) => recorder.bytes('device', bytes));
  pipe.onClose(() => recorder.mark('closed'));
  return overPipe(pipe, {
    write: (bytes) => {
      recorder.bytes('host', bytes);
      return pipe.write(bytes);
    },
  });
}
