import { accessSync, constants } from 'node:fs';
import { openHidPipe } from '@tillbridge/agent/ports/hid-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { expect, test } from 'vitest';
import { PLAIN_REPORTS, UHID_FILE, uhidPlug } from './uhid-plug.js';

// A HID device that the kernel knows, opened by node-hid itself: the whole path of a real reader but its cable.

/** Why there can be no such device here; undefined where there can. */
function missing(): string | undefined {
  try {
    accessSync(UHID_FILE, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return `${UHID_FILE}: ${(error as NodeJS.ErrnoException).code ?? 'cannot be used'}`;
  }
}

const reason = missing();
if (reason !== undefined) console.log(`skipped: a HID device of the kernel, because of ${reason}`);

const REPORT = Buffer.from(Array.from({ length: 64 }, (_, at) => at));

test.skipIf(reason !== undefined)(
  'reports pass through the kernel both ways; an unplugged device is noticed',
  async () => {
    const device = {
      name: 'Simulated reader',
      serial: 'UHID1',
      vendorId: 0x0801,
      productId: 0x2020,
      descriptor: PLAIN_REPORTS,
    };
    let line: BytePipe | undefined;
    const plug = uhidPlug(device, false, (opened) => {
      line = opened;
    });
    await plug.plug();
    const host = await openHidPipe({ path: plug.path, reportIds: false });
    const atDevice = new Promise<Uint8Array>((resolve) => line?.onData(resolve));
    await host.write(REPORT);
    expect(await atDevice).toEqual(REPORT);
    const atHost = new Promise<Uint8Array>((resolve) => host.onData(resolve));
    await line?.write(REPORT);
    expect(await atHost).toEqual(REPORT);
    const closed = new Promise<string>((resolve) => host.onClose(resolve));
    await plug.unplug();
    await closed;
  },
);
