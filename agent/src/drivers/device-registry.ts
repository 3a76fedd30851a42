import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '@tillbridge/protocol/platform/write-file.js';

/** The device that is registered for a terminal's place. */
export interface RegisteredDevice {
  readonly maker: string;
  /** The maker's serial, alphanumeric. */
  readonly serial: string;
}

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

function parse(text: string): ReadonlyMap<string, RegisteredDevice> {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new TypeError('expected a mapping');
  return new Map(
    Object.entries(json).map(([terminalId, entry]) => {
      const { maker, serial } = (entry ?? {}) as Partial<RegisteredDevice>;
      if (typeof maker !== 'string' || typeof serial !== 'string') {
        throw new TypeError(`terminal ${terminalId} needs maker and serial`);
      }
      return [terminalId, { maker, serial }];
    }),
  );
}

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
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
      throw new DeviceRegistryError(`${this.path} cannot be read: ${(error as Error).message}`);
    }
    try {
      return parse(text);
    } catch (error) {
      throw new DeviceRegistryError(
        `${this.path} cannot be understood (${(error as Error).message}): move it away, and the devices are registered anew`,
      );
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
