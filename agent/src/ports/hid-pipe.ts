import { connect } from 'node:net';
import { SocketPipe } from '@tillbridge/platform/socket-pipe.js';
import { present } from '@tillbridge/wire/present.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { PortPipe } from '@tillbridge/wire/seams/port-pipe.js';
import { reportPipe, UNIX_PREFIX } from '@tillbridge/wire/seams/report-pipe.js';
import type { HIDAsync } from 'node-hid';
import { chooseHid, type HidUsage } from './choose-hid.js';
import { PortOpenError, portOpenError } from './port-open-error.js';

/**
 * A HID device: each write is one output report, each piece that arrives one input report, both of
 * 64 bytes. A report id, where the device numbers its reports, is the first byte of both.
 */
interface HidSettings {
  /**
   * `/dev/hidraw3` or what the system calls the device; `0801:2020` for the first device of a vendor and product;
   * `0801:2020:B1234` for the one with that serial number; `unix:/path` for a simulated device (test mode only).
   */
  readonly path: string;
  /** The device numbers its reports. */
  readonly reportIds: boolean;
  /** Where the model speaks; without it any usage page of a maker. */
  readonly usage?: HidUsage;
}

/** Byte that stands ahead of a report where the device does not number them (hidapi). */
const NO_REPORT_ID = 0;
const USB_PATH = /^([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})(?::(.+))?$/;

/** A device by what USB reports of it. */
export interface HidName {
  /** Four hex digits, small letters. */
  readonly vendorId: string;
  readonly productId: string;
  /** As the device writes it; any of its kind is meant when absent. */
  readonly serial?: string;
}

/** Reads a path such as `0801:2020:B1234`; undefined for one that the system gave. */
export function readHidName(path: string): HidName | undefined {
  const [, vendorId, productId, serial] = USB_PATH.exec(path) ?? [];
  if (vendorId === undefined || productId === undefined) return undefined;
  return {
    vendorId: vendorId.toLowerCase(),
    productId: productId.toLowerCase(),
    ...(serial !== undefined && { serial }),
  };
}

/** The functions of node-hid that the agent uses. */
export type HidLibrary = Pick<typeof import('node-hid'), 'devicesAsync' | 'HIDAsync'>;

/**
 * Loads node-hid, only when a HID terminal is configured or looked for.
 * @throws PortOpenError naming the system library that is missing
 */
export async function loadHidLibrary(path: string): Promise<HidLibrary> {
  try {
    const { default: library } = await import('node-hid');
    // The native part, and with it the system libraries, is loaded by the first call.
    library.getHidapiVersion();
    return library;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const missing = /lib(usb|udev)[\w.-]*/i.exec(why)?.[0];
    const what = missing
      ? `the system library ${missing} is missing (Debian: apt-get install libusb-1.0-0 libudev1)`
      : `the library node-hid cannot be loaded: ${why}`;
    throw new PortOpenError(path, 'library', `port ${path} needs USB-HID, and ${what}`);
  }
}

class HidPipe extends PortPipe {
  private readonly device: HIDAsync;
  private readonly reportIds: boolean;

  constructor(device: HIDAsync, name: string, reportIds: boolean) {
    super(name);
    this.device = device;
    this.reportIds = reportIds;
    device.on('data', (report: Buffer) => this.received(report));
    device.on('error', (error: unknown) => this.end(error instanceof Error ? error.message : String(error)));
  }

  protected async transmit(bytes: Uint8Array): Promise<void> {
    await this.device.write(
      this.reportIds ? Buffer.from(bytes) : Buffer.concat([Buffer.of(NO_REPORT_ID), bytes]),
    );
  }

  protected release(): void {
    this.device.removeAllListeners();
    // The device may be gone already: there is nothing left to do about it.
    this.device.close().catch(() => undefined);
  }
}

/** Finds the system's path of a device named by vendor and product. @throws PortOpenError when none is plugged in that may be opened */
async function systemPath(
  { path, usage }: Omit<HidSettings, 'reportIds'>,
  library: HidLibrary,
): Promise<string> {
  const name = readHidName(path);
  if (!name) return path;
  const { vendorId, productId, serial } = name;
  const devices = await library.devicesAsync(Number.parseInt(vendorId, 16), Number.parseInt(productId, 16));
  const choice = chooseHid(devices, present({ serial, usage }));
  if ('path' in choice) return choice.path;
  switch (choice.fault) {
    case 'missing': {
      const hint = devices.length > 0 ? `; plugged in are ${choice.others.join(', ')}` : '';
      throw new PortOpenError(path, 'missing', `no HID device ${path} is plugged in${hint}`);
    }
    case 'otherUse':
      throw new PortOpenError(
        path,
        'missing',
        `HID device ${path} is plugged in as ${choice.uses.join(' and ')}, which the agent never opens: set the reader to the mode of its maker's protocol`,
      );
    case 'ambiguous':
      throw new PortOpenError(
        path,
        'missing',
        `HID device ${path} has ${choice.paths.length} interfaces, and the system does not tell which is for what: set the path to one of ${choice.paths.join(', ')}`,
      );
  }
}

/**
 * Opens a HID device as a pipe of reports.
 * @param load where the library comes from; tests give their own
 * @throws PortOpenError when it is missing, forbidden, in use, or the system lacks a library
 */
export async function openHidPipe(
  { path, reportIds, usage }: HidSettings,
  load: (path: string) => Promise<HidLibrary> = loadHidLibrary,
): Promise<BytePipe> {
  if (path.startsWith(UNIX_PREFIX)) return openHidSocket(path);
  const library = await load(path);
  const system = await systemPath({ path, ...present({ usage }) }, library);
  try {
    return new HidPipe(await library.HIDAsync.open(system), path, reportIds);
  } catch (error) {
    throw portOpenError(path, error instanceof Error ? error : new Error(String(error)));
  }
}

/** Connects to a simulated HID device: a Unix socket that carries reports one behind the other. */
function openHidSocket(path: string): Promise<BytePipe> {
  return new Promise((resolve, reject) => {
    const socket = connect(path.slice(UNIX_PREFIX.length));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(reportPipe(new SocketPipe(socket, path)));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.destroy();
      reject(portOpenError(path, new Error(`${error.code ?? ''} ${error.message}`)));
    });
  });
}
