import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { mappingOf } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';

/** The registry cannot be read or kept; the message names the file. */
export class DeviceRegistryError extends Error {
  override readonly name = 'DeviceRegistryError';
}

/** Digits of `pos.deviceId`. */
const MAX_DEVICE_ID_DIGITS = 32;
const DIGITS_PER_CHARACTER = 2;

/**
 * A maker's serial as the digits that `pos.deviceId` takes: digits stay as they are; otherwise each character
 * becomes two digits, 00 to 09 for digits and 10 to 35 for letters, so that no two serials of a maker look the same. Of a
 * serial that is too long its end counts.
 */
export function numericDeviceId(serial: string): string {
  const characters = serial.toUpperCase().replace(/[^0-9A-Z]/g, '');
  if (/^\d+$/.test(characters)) return characters.slice(-MAX_DEVICE_ID_DIGITS);
  return [...characters.slice(-(MAX_DEVICE_ID_DIGITS / DIGITS_PER_CHARACTER))]
    .map((character) => String(Number.parseInt(character, 36)).padStart(DIGITS_PER_CHARACTER, '0'))
    .join('');
}

const DEVICE = Type.Object(
  { maker: Type.String({ expected: 'a text' }), serial: Type.String({ expected: 'a text' }) },
  { expected: 'an object with maker and serial' },
);

/** The device that is registered for a terminal's place; the serial is the maker's, alphanumeric. */
export type RegisteredDevice = Readonly<Static<typeof DEVICE>>;

const readDevices = jsonReader(
  mappingOf('terminals', /^/, 'a terminal', DEVICE),
  'the file',
  (reason) => new DeviceRegistryError(`${reason}: move it away, and the devices are registered anew`),
);

/**
 * Which device belongs to which terminal's place, in a file. The agent notices a device in another's place
 * before it sells there.
 */
export class DeviceRegistry {
  private readonly path: string;

  /** @throws DeviceRegistryError when there is a file that cannot be understood */
  constructor(path: string) {
    this.path = path;
    this.all();
  }

  /** The device of a terminal's place, as the file has it now; undefined before the first one was there. */
  get(terminalId: string): RegisteredDevice | undefined {
    return this.all().get(terminalId);
  }

  /** Registers a device for a place. On disk when it returns. @throws DeviceRegistryError */
  set(terminalId: string, { maker, serial }: RegisteredDevice): void {
    this.keep(new Map([...this.all(), [terminalId, { maker, serial }]]));
  }

  /** Empties a place: the next device there is registered. @returns whether there was one */
  forget(terminalId: string): boolean {
    const devices = this.all();
    if (!devices.has(terminalId)) return false;
    this.keep(new Map([...devices].filter(([id]) => id !== terminalId)));
    return true;
  }

  /** Every place and its device. @throws DeviceRegistryError */
  all(): ReadonlyMap<string, RegisteredDevice> {
    const text = this.text();
    return new Map(text === undefined ? [] : Object.entries(readDevices(text, this.path)));
  }

  private text(): string | undefined {
    try {
      return readIfThere(this.path)?.toString('utf8');
    } catch (error) {
      throw new DeviceRegistryError(`${this.path} cannot be read: ${(error as Error).message}`);
    }
  }

  private keep(devices: ReadonlyMap<string, RegisteredDevice>): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      replaceFile(this.path, `${JSON.stringify(Object.fromEntries(devices), undefined, 2)}\n`);
    } catch (error) {
      throw new DeviceRegistryError(`${this.path} cannot be written: ${(error as Error).message}`);
    }
  }
}
