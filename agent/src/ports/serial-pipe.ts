import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { called, PortPipe } from '@tillbridge/wire/seams/port-pipe.js';
import { SerialPort } from 'serialport';
import type { LineSettings } from './line-probe.js';
import { portOpenError } from './port-open-error.js';

/** Speed of a terminal's line unless configured (ABECS 2.12 §2.1). */
const DEFAULT_BAUD_RATE = 19_200;

/** How often the line of an open port is checked. */
const HANGUP_CHECK_MS = 1_000;

/** What the operating system answers about a line that hung up (EIO); other errors only mean "cannot tell". */
const HUNG_UP = /input\/output error|\bEIO\b/i;

/** A serial port, 8 data bits, no flow control; no parity unless given. */
interface SerialSettings extends Partial<LineSettings> {
  /** Such as `/dev/ttyACM0`, `COM3` or a stable symlink to either. */
  readonly path: string;
  /** Default: 1. */
  readonly stopBits?: 1 | 2;
}

class SerialPipe extends PortPipe {
  private readonly port: SerialPort;
  private readonly clock: Clock;
  private hangupCheck: Timer | undefined;

  constructor(port: SerialPort, name: string, clock: Clock) {
    super(name);
    this.port = port;
    this.clock = clock;
    // Read from the start, with or without a listener: a port that is not read never notices that its device has gone.
    port.on('data', (chunk: Buffer) => this.received(chunk));
    port.on('error', (error) => this.end(error.message));
    port.on('close', (error: Error | null) => this.end(error?.message ?? 'closed by this side'));
    this.watchHangup();
  }

  protected transmit(bytes: Uint8Array): Promise<void> {
    return called((done) => this.port.write(Buffer.from(bytes), undefined, done));
  }

  protected release(): void {
    this.hangupCheck?.cancel();
    if (this.port.isOpen) this.port.close(() => {});
  }

  /** A line that hangs up between two reads answers every further read with no bytes, which no event reports. */
  private watchHangup(): void {
    this.hangupCheck = this.clock.setTimer(HANGUP_CHECK_MS, () => {
      this.port.get((error) => {
        if (this.ended) return;
        if (error && HUNG_UP.test(error.message)) this.end('the line hung up');
        else this.watchHangup();
      });
    });
  }
}

/**
 * Opens a serial port as a byte pipe.
 * @throws PortOpenError when the port is missing, forbidden, in use or no serial port
 */
export function openSerialPipe(settings: SerialSettings, clock: Clock = systemClock): Promise<BytePipe> {
  const { path, baudRate = DEFAULT_BAUD_RATE, parity = 'none', stopBits = 1 } = settings;
  return new Promise((resolve, reject) => {
    const port = new SerialPort({
      path,
      baudRate,
      dataBits: 8,
      parity,
      stopBits,
      autoOpen: false,
    });
    port.open((error) => {
      if (error) reject(portOpenError(path, error));
      else resolve(new SerialPipe(port, path, clock));
    });
  });
}
