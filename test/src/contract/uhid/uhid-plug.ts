import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import type { TerminalPlug } from '@tillbridge/hardware-sim/ports/terminal-plug.js';
import { type BytePipe, PipeClosedError } from '@tillbridge/wire/seams/byte-pipe.js';
import {
  createEvent,
  destroyEvent,
  inputEvent,
  readEvent,
  UHID_EVENT_BYTES,
  type UhidDevice,
} from './uhid-events.js';

/** Where the kernel takes devices of user space (Linux). */
export const UHID_FILE = '/dev/uhid';
/** How often the kernel is polled: it does not report when something changes. */
const POLL_MS = 2;

/** The device's end of a HID device that the kernel knows. */
class UhidLine implements BytePipe {
  readonly name = UHID_FILE;
  readonly #fd: number;
  readonly #numbered: boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #dataListeners = new Set<(bytes: Uint8Array) => void>();
  readonly #closeListeners = new Set<(reason: string) => void>();
  #closed = false;

  constructor(device: UhidDevice, numbered: boolean) {
    this.#numbered = numbered;
    this.#fd = openSync(UHID_FILE, constants.O_RDWR | constants.O_NONBLOCK);
    writeSync(this.#fd, createEvent(device));
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#closed) throw new PipeClosedError(`${this.name}: unplugged`);
    writeSync(this.#fd, inputEvent(bytes));
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.#dataListeners.add(listener);
    return () => this.#dataListeners.delete(listener);
  }

  onClose(listener: (reason: string) => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    writeSync(this.#fd, destroyEvent());
    closeSync(this.#fd);
    for (const listener of [...this.#closeListeners]) listener('unplugged');
  }

  #poll(): void {
    const bytes = Buffer.alloc(UHID_EVENT_BYTES);
    while (!this.#closed) {
      const length = this.#read(bytes);
      if (length === 0) return;
      const event = readEvent(bytes.subarray(0, length), this.#numbered);
      if (event?.kind !== 'output') continue;
      for (const listener of [...this.#dataListeners]) listener(event.report);
    }
  }

  #read(bytes: Buffer): number {
    try {
      return readSync(this.#fd, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      void this.close();
      return 0;
    }
  }
}

/**
 * A HID device that the kernel knows, so that a host opens it as a real one (Linux, with the rights to use
 * {@link UHID_FILE}).
 * @param numbered whether its reports begin with a number
 */
export function uhidPlug(
  device: UhidDevice,
  numbered: boolean,
  onPlug: (line: BytePipe) => void,
): TerminalPlug {
  let line: UhidLine | undefined;
  const hex = (id: number): string => id.toString(16).padStart(4, '0');
  return {
    transport: 'hid',
    path: `${hex(device.vendorId)}:${hex(device.productId)}:${device.serial}`,
    get plugged() {
      return line !== undefined;
    },
    async plug() {
      if (line) return;
      line = new UhidLine(device, numbered);
      onPlug(line);
    },
    async unplug() {
      await line?.close();
      line = undefined;
    },
  };
}

/** A descriptor of reports of 64 bytes without numbers, vendor-defined both ways. */
export const PLAIN_REPORTS = Buffer.from(
  '0600FF0920A1011500 26FF00 7508 9540 0901 8102 0902 9102 C0'.replaceAll(' ', ''),
  'hex',
);

/** A descriptor of reports of 63 bytes with the numbers 1 to 4, vendor-defined both ways. */
export const NUMBERED_REPORTS = Buffer.concat([
  Buffer.from('0600FF0901A101150026FF007508953F', 'hex'),
  ...[1, 2, 3, 4].map((id) =>
    Buffer.from([0x85, id, 0x09, id, 0x81, 0x02, 0x85, id, 0x09, id + 4, 0x91, 0x02]),
  ),
  Buffer.of(0xc0),
]);
