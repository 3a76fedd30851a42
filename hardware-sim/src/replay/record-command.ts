import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { encodeEvent, encodeHeader } from '@tillbridge/protocol/terminals/trace/trace.js';
import { SerialPort } from 'serialport';
import { TerminalPort } from '../ports/terminal-port.js';
import { SYSTEM_CLOCK } from '../system-clock.js';

/** The command line of `tillbridge-sim record`. */
export interface RecordCommand {
  /** Serial port of the real terminal. */
  readonly device: string;
  readonly baudRate: number;
  readonly deviceType: string;
  /** Where the agent finds the terminal meanwhile. */
  readonly path: string;
  readonly file: string;
  readonly print: (line: string) => void;
  /** Settles when the recording is to end. */
  readonly stopped: Promise<void>;
}

/** The real terminal's port, or a file of the recording, cannot be used; the message is for the person at the command line. */
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

/**
 * Stands between an agent and the real terminal and records, masked, what passes.
 * @returns pieces that passed
 * @throws RecordingError, LibcError, the file system's error
 */
export async function record(command: RecordCommand): Promise<number> {
  const { device, baudRate, deviceType, path, file, print, stopped } = command;
  const port = await openDevice(device, baudRate);
  const startedMs = SYSTEM_CLOCK.monotonicMs();
  mkdirSync(dirname(resolve(file)), { recursive: true });
  const fd = openSync(file, 'w', 0o600);
  const startedAt = new Date(SYSTEM_CLOCK.nowMs()).toISOString();
  writeSync(fd, `${encodeHeader({ deviceType, transport: 'serial', startedAt })}\n`);
  let pieces = 0;
  const note = (from: 'host' | 'device', bytes: Buffer): void => {
    const atMs = Math.round(SYSTEM_CLOCK.monotonicMs() - startedMs);
    writeSync(fd, `${encodeEvent({ kind: 'bytes', atMs, from, bytes })}\n`);
    pieces += 1;
  };
  const plug = new TerminalPort(resolve(path), (line) => {
    line.onData((bytes) => {
      const piece = Buffer.from(bytes);
      note('host', piece);
      port.write(piece);
    });
    port.on('data', (bytes: Buffer) => {
      note('device', bytes);
      line.write(bytes).catch(() => undefined);
    });
  });
  await plug.plug();
  const gone = new Promise<void>((fulfil) => port.once('close', () => fulfil()));
  print(`records ${device} into ${file}; point the agent to ${plug.path}; end with Ctrl-C`);
  await Promise.race([stopped, gone]);
  await plug.unplug();
  if (port.isOpen) await new Promise<void>((fulfil) => port.close(() => fulfil()));
  closeSync(fd);
  print(`${pieces} pieces recorded`);
  return pieces;
}
