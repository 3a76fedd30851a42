import { type BytePipe, PipeClosedError } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { SerialPort } from 'serialport';
import { systemClock } from '../system-clock.js';

/** Speed of a terminal's line unless configured (ABECS 2.12 §2.1). */
export const DEFAULT_BAUD_RATE = 19_200;

/** How often an open port is asked whether its line is still there. */
export const HANGUP_CHECK_MS = 1_000;

/** What the operating system answers about a line that hung up (EIO); other errors only mean "cannot tell". */
const HUNG_UP = /input\/output error|\bEIO\b/i;

/** A serial port, 8 data bits, no parity, 1 stop bit, no flow control. */
export interface SerialSettings {
  /** Such as `/dev/ttyACM0`, `COM3` or a stable symlink to either. */
  readonly path: string;
  readonly baudRate?: number;
}

/** Why a port could not be opened, for what to do about it. */
export type PortOpenReason = 'missing' | 'permission' | 'busy' | 'other';

/** A port could not be opened. The message names the path and what to do. */
export class PortOpenError extends Error {
  override readonly name = 'PortOpenError';
  readonly path: string;
  readonly reason: PortOpenReason;

  constructor(path: string, reason: PortOpenReason, message: string) {
    super(message);
    this.path = path;
    this.reason = reason;
  }
}

const REASONS: readonly {
  readonly pattern: RegExp;
  readonly reason: PortOpenReason;
  readonly text: string;
}[] = [
  {
    pattern: /no such file|file not found|ENOENT/i,
    reason: 'missing',
    text: 'does not exist: is the terminal plugged in, and is the path of its configuration right?',
  },
  {
    pattern: /permission denied|access denied|EACCES|EPERM/i,
    reason: 'permission',
    text: 'may not be opened by this user: on Linux, add the user to the group that owns the device (often dialout)',
  },
  {
    pattern: /cannot lock|temporarily unavailable|EBUSY|EAGAIN|in use/i,
    reason: 'busy',
    text: 'is in use by another program',
  },
];

function openError(path: string, cause: Error): PortOpenError {
  const known = REASONS.find(({ pattern }) => pattern.test(cause.message));
  if (known) return new PortOpenError(path, known.reason, `port ${path} ${known.text}`);
  return new PortOpenError(path, 'other', `port ${path} could not be opened: ${cause.message}`);
}

class SerialPipe implements BytePipe {
  readonly name: string;
  private readonly port: SerialPort;
  private readonly dataListeners = new Set<(bytes: Uint8Array) => void>();
  private readonly closeListeners = new Set<(reason: string) => void>();
  private readonly clock: Clock;
  private hangupCheck: Timer | undefined;
  private closedReason: string | undefined;

  constructor(port: SerialPort, name: string, clock: Clock) {
    this.port = port;
    this.name = name;
    this.clock = clock;
    // Read from the start, listened to or not: a port that nobody reads never notices that its device has gone.
    port.on('data', (chunk: Buffer) => {
      for (const listener of [...this.dataListeners]) listener(chunk);
    });
    port.on('error', (error) => this.end(error.message));
    port.on('close', (error: Error | null) => this.end(error?.message ?? 'closed by this side'));
    this.watchHangup();
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closedReason !== undefined) {
        reject(new PipeClosedError(`${this.name}: ${this.closedReason}`));
        return;
      }
      this.port.write(Buffer.from(bytes), undefined, (error) => {
        if (!error) {
          resolve();
          return;
        }
        this.end(error.message);
        reject(new PipeClosedError(`${this.name}: ${error.message}`));
      });
    });
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.dataListeners.add(listener);
    return () => this.dataListeners.delete(listener);
  }

  onClose(listener: (reason: string) => void): () => void {
    if (this.closedReason !== undefined) {
      const reason = this.closedReason;
      queueMicrotask(() => listener(reason));
      return () => {};
    }
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.end('closed by this side');
  }

  /** A line that hangs up between two reads answers every further read with no bytes, which no event tells. */
  private watchHangup(): void {
    this.hangupCheck = this.clock.setTimer(HANGUP_CHECK_MS, () => {
      this.port.get((error) => {
        if (this.closedReason !== undefined) return;
        if (error && HUNG_UP.test(error.message)) this.end('the line hung up');
        else this.watchHangup();
      });
    });
  }

  private end(reason: string): void {
    if (this.closedReason !== undefined) return;
    this.closedReason = reason;
    this.hangupCheck?.cancel();
    if (this.port.isOpen) this.port.close(() => {});
    const listeners = [...this.closeListeners];
    this.closeListeners.clear();
    this.dataListeners.clear();
    for (const listener of listeners) listener(reason);
  }
}

/**
 * Opens a serial port as a byte pipe.
 * @throws PortOpenError when the port is missing, forbidden, in use or no serial port
 */
export function openSerialPipe(settings: SerialSettings, clock: Clock = systemClock): Promise<BytePipe> {
  const { path, baudRate = DEFAULT_BAUD_RATE } = settings;
  return new Promise((resolve, reject) => {
    const port = new SerialPort({
      path,
      baudRate,
      dataBits: 8,
      parity: 'none',
      stopBits: 1,
      autoOpen: false,
    });
    port.open((error) => {
      if (error) reject(openError(path, error));
      else resolve(new SerialPipe(port, path, clock));
    });
  });
}
