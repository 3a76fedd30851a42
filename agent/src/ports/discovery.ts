import { present } from '@tillbridge/wire/present.js';
import type { Device } from 'node-hid';
import { SerialPort } from 'serialport';
import { chooseHid } from './choose-hid.js';
import { type HidLibrary, loadHidLibrary } from './hid-pipe.js';

/** Something that is plugged in and may be a terminal. */
export interface FoundPort {
  readonly transport: 'serial' | 'hid';
  /** As the configuration of a terminal takes it. */
  readonly path: string;
  /** Four hex digits. */
  readonly vendorId?: string;
  readonly productId?: string;
  /** The terminal maker that the vendor id belongs to, else what the device calls its manufacturer. */
  readonly maker?: string;
  readonly model?: string;
  readonly serial?: string;
  /** What it shows itself as, where that is nothing a driver can use, such as `a keyboard`. */
  readonly usedAs?: string;
}

/** What was found, and what could not be looked at. */
export interface Discovery {
  readonly ports: readonly FoundPort[];
  readonly problems: readonly string[];
}

/** USB vendor ids of makers that the agent has a driver for, as far as they are published. */
export const MAKERS: Readonly<Record<string, string>> = {
  '0801': 'MagTek',
  '0acd': 'ID TECH',
  '11ca': 'Verifone',
};

/** Where the lists come from; tests give their own. */
interface DiscoveryDeps {
  readonly serial: () => ReturnType<typeof SerialPort.list>;
  readonly hid: () => Promise<HidLibrary>;
}

const SYSTEM: DiscoveryDeps = {
  serial: () => SerialPort.list(),
  hid: () => loadHidLibrary('(discovery)'),
};

/** Lists what is plugged in. Only HID devices of known makers are named, each once, however many interfaces it has: a keyboard is no terminal. */
export async function discoverPorts(sources: DiscoveryDeps = SYSTEM): Promise<Discovery> {
  const [serial, hid] = await Promise.all([
    attempt('serial ports', () => serialPorts(sources)),
    attempt('USB-HID devices', () => hidDevices(sources)),
  ]);
  return { ports: [...serial.ports, ...hid.ports], problems: [...serial.problems, ...hid.problems] };
}

async function attempt(what: string, list: () => Promise<FoundPort[]>): Promise<Discovery> {
  try {
    return { ports: await list(), problems: [] };
  } catch (error) {
    return { ports: [], problems: [`${what} could not be listed: ${whyOf(error)}`] };
  }
}

/** The reason for a person, with what to install where a program of the system is missing. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  const program = /^spawn (\S+)/.exec(syscall)?.[1];
  if (code !== 'ENOENT' || program === undefined) return error.message;
  const hint = program === 'udevadm' ? ' (Debian: apt-get install udev)' : '';
  return `the program ${program} is missing${hint}`;
}

async function serialPorts({ serial }: DiscoveryDeps): Promise<FoundPort[]> {
  const ports = await serial();
  return ports.map(({ path, manufacturer, serialNumber, vendorId, productId }) => {
    const maker = MAKERS[vendorId?.toLowerCase() ?? ''] ?? manufacturer;
    return {
      transport: 'serial',
      path,
      ...(vendorId !== undefined && { vendorId: vendorId.toLowerCase() }),
      ...(productId !== undefined && { productId: productId.toLowerCase() }),
      ...(maker !== undefined && { maker }),
      ...(serialNumber !== undefined && { serial: serialNumber }),
    };
  });
}

async function hidDevices({ hid }: DiscoveryDeps): Promise<FoundPort[]> {
  const library = await hid();
  const byName = new Map<string, Device[]>();
  for (const device of await library.devicesAsync()) {
    if (MAKERS[hex(device.vendorId)] === undefined) continue;
    const { vendorId, productId, serialNumber } = device;
    const name = [hex(vendorId), hex(productId), ...(serialNumber ? [serialNumber] : [])].join(':');
    byName.set(name, [...(byName.get(name) ?? []), device]);
  }
  return [...byName].flatMap(([path, listed]) => {
    const [first] = listed;
    if (!first) return [];
    const { vendorId, productId, serialNumber, product } = first;
    const choice = chooseHid(listed, present({ serial: serialNumber }));
    return {
      transport: 'hid',
      path,
      vendorId: hex(vendorId),
      productId: hex(productId),
      ...present({ maker: MAKERS[hex(vendorId)] }),
      ...(product && { model: product }),
      ...(serialNumber && { serial: serialNumber }),
      ...('uses' in choice && { usedAs: choice.uses.join(' and ') }),
    } satisfies FoundPort;
  });
}

function hex(id: number): string {
  return id.toString(16).padStart(4, '0');
}
