import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { TraceRecorder } from '@tillbridge/wire/terminals/trace/trace-recorder.js';
import { SerialPort } from 'serialport';
import { TerminalPort } from '../ports/terminal-port.js';

/** The command line of `tillbridge-sim record`. */
interface RecordCommand {
  /** Serial port of the real terminal. */
  readonly device: string;
  readonly baudRate: number;
  readonly deviceType: string;
  /** Where the agent finds the terminal meanwhile. */
  readonly path: string;
  readonly file: string;
  readonly print: (line: string) => void;
  /** Settles when the recording is to end. */
  readonly stopped: Promise<unknown>;
}

/** How a recording ended. */
export interface RecordResult {
  /** Pieces that passed. */
  readonly pieces: number;
  /** Why the terminal's port ended by itself; absent when the recording was stopped. */
  readonly gone?: string;
}

/** How often the line of the port is checked. */
const HANGUP_CHECK_MS = 1_000;
const HUNG_UP = /input\/output error|\bEIO\b/i;

/** The real terminal's port, or a file of the recording, cannot be used; the message is for the command line. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

function openDevice(path: string, baudRate: number): Promise<SerialPort> {
  const port = new SerialPort({ path, baudRate, autoOpen: false });
  return new Promise((fulfil, reject) =>
    port.open((error) => {
      const reason = error?.message.replace(/^Error:? /, '').replace(/, cannot open .*$/, '');
      if (reason === undefined) fulfil(port);
      else reject(new RecordingError(`${path} cannot be opened: ${reason}`));
    }),
  );
}

/** Resolves with the reason when the port ends; polled as well, because a hang-up between two reads raises no event. */
function portEnded(port: SerialPort): Promise<string> {
  return new Promise((fulfil) => {
    const check = setInterval(
      () => port.get((error) => error && HUNG_UP.test(error.message) && fulfil('the line hung up')),
      HANGUP_CHECK_MS,
    );
    port.on('error', ({ message }: Error) => fulfil(message));
    port.once('close', (error: Error | null) => {
      clearInterval(check);
      fulfil(error?.message ?? 'closed');
    });
  });
}

async function closePort(port: SerialPort): Promise<void> {
  if (port.isOpen) await new Promise<void>((fulfil) => port.close(() => fulfil()));
}

function traceInto(file: string, { deviceType, print }: RecordCommand): TraceRecorder {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  const fd = openSync(file, 'w', 0o600);
  return new TraceRecorder({
    header: { deviceType, transport: 'serial' },
    clock: systemClock,
    sink: { append: (text) => writeSync(fd, text), close: () => closeSync(fd) },
    onFault: (reason) => print(`recording into ${file} ended: ${reason}; the line goes on`),
  });
}

/**
 * Stands between an agent and the real terminal and records, masked, what passes. A fault of the disk ends the recording, and
 * not the line: a sale may run on it.
 * @throws RecordingError, LibcError, the file system's error
 */
export async function record(command: RecordCommand): Promise<RecordResult> {
  const { device, baudRate, path, file, print, stopped } = command;
  const port = await openDevice(device, baudRate);
  const ended = portEnded(port);
  let pieces = 0;
  try {
    const trace = traceInto(file, command);
    const plug = new TerminalPort(resolve(path), (line) => {
      line.onData((bytes) => {
        pieces += 1;
        trace.bytes('host', bytes);
        port.write(Buffer.from(bytes));
      });
      port.on('data', (bytes: Buffer) => {
        pieces += 1;
        trace.bytes('device', bytes);
        line.write(bytes).catch(() => undefined);
      });
    });
    try {
      await plug.plug();
      print(`records ${device} into ${file}; point the agent to ${plug.path}; end with Ctrl-C`);
      const gone = await Promise.race([stopped.then(() => undefined), ended]);
      return { pieces, ...(gone !== undefined && { gone }) };
    } finally {
      await plug.unplug();
      trace.close();
    }
  } finally {
    await closePort(port);
    print(`${pieces} pieces recorded`);
  }
}
