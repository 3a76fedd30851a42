import { EventEmitter } from 'node:events';
import { HID_REPORT_BYTES } from '@tillbridge/wire/seams/report-pipe.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, test } from 'vitest';
import { type HidLibrary, loadHidLibrary, openHidPipe } from './hid-pipe.js';
import { PortOpenError } from './port-open-error.js';

/** The seam below the pipe: node-hid's own objects, without a device. */
class Device extends EventEmitter {
  readonly written: number[][] = [];
  closed = false;
  broken = false;

  async write(report: Buffer): Promise<number> {
    if (this.broken) throw new Error('could not write to HID device');
    this.written.push([...report]);
    return report.length;
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

function libraryOf(device: Device, opened: string[] = []): () => Promise<HidLibrary> {
  const devices = [
    { vendorId: 0x0801, productId: 0x2020, path: '/dev/hidraw1', serialNumber: 'A' },
    { vendorId: 0x0801, productId: 0x2020, path: '/dev/hidraw2', serialNumber: 'B' },
  ];
  const library = {
    devicesAsync: async () => devices,
    HIDAsync: {
      open: async (path: string) => {
        opened.push(path);
        return device;
      },
    },
  };
  return async () => library as unknown as HidLibrary;
}

const REPORT = Buffer.alloc(HID_REPORT_BYTES, 7);

describe('a HID pipe', () => {
  test('carries reports; a report without a number gets the zero that hidapi wants', async () => {
    const device = new Device();
    const pipe = await openHidPipe({ path: '0801:2020', reportIds: false }, libraryOf(device));
    await pipe.write(REPORT);
    expect(device.written[0]).toEqual([0, ...REPORT]);
    const numbered = await openHidPipe({ path: '/dev/hidraw2', reportIds: true }, libraryOf(device));
    await numbered.write(REPORT);
    expect(device.written[1]).toEqual([...REPORT]);
    const received: Uint8Array[] = [];
    pipe.onData((bytes) => received.push(bytes));
    device.emit('data', REPORT);
    expect(received).toEqual([REPORT]);
  });

  test('finds the device of a serial number, and names those that are there instead', async () => {
    const opened: string[] = [];
    const load = libraryOf(new Device(), opened);
    await openHidPipe({ path: '0801:2020:B', reportIds: false }, load);
    expect(opened).toEqual(['/dev/hidraw2']);
    const missing = openHidPipe({ path: '0801:2020:C', reportIds: false }, load);
    await expect(missing).rejects.toThrow('plugged in are A, B');
  });

  test('opens no keyboard, and names what stands in the way', async () => {
    const keyboard = { vendorId: 0x0801, productId: 0x2020, path: '/dev/hidraw1', usagePage: 1, usage: 6 };
    const unread = { ...keyboard, usagePage: 0, usage: 0 };
    const open = (devices: readonly object[]) =>
      openHidPipe({ path: '0801:2020', reportIds: false }, async () => ({
        ...(await libraryOf(new Device())()),
        devicesAsync: (async () => devices) as never,
      }));
    await expect(open([keyboard])).rejects.toThrow(
      'is plugged in as a keyboard, which the agent never opens',
    );
    await expect(open([unread, { ...unread, path: '/dev/hidraw2' }])).rejects.toThrow(
      'set the path to one of /dev/hidraw1, /dev/hidraw2',
    );
    await expect(open([])).rejects.toThrow('no HID device 0801:2020 is plugged in');
  });

  test('ends when the device is pulled out, by reading or by writing', async () => {
    const device = new Device();
    const pipe = await openHidPipe({ path: '0801:2020', reportIds: false }, libraryOf(device));
    const reasons: string[] = [];
    pipe.onClose((reason) => reasons.push(reason));
    device.broken = true;
    await expect(pipe.write(REPORT)).rejects.toThrow('could not write');
    await settle();
    expect(reasons).toEqual(['could not write to HID device']);
    expect(device.closed).toBe(true);
    await expect(pipe.write(REPORT)).rejects.toThrow('could not write');
  });

  test('the library itself: loads, or names the system library that is missing', async () => {
    const loaded = await loadHidLibrary('0801:2020').catch((error: unknown) => error);
    if (loaded instanceof PortOpenError) {
      expect(loaded.message).toMatch(
        /the system library lib(usb|udev)\S* is missing \(Debian: apt-get install/,
      );
    } else expect(loaded).toHaveProperty('devicesAsync');
  });
});
