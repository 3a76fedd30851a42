import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import {
  FIRST_KEY_SLOT,
  OPERATIONAL,
  PROPERTIES,
  type PropertyName,
} from '@tillbridge/wire/terminals/magtek/properties.js';
import type { StateSlot } from '../../state/state-slot.js';
import type { DeviceHealth } from '../core/device-health.js';
import type { DukptDevice } from '../core/dukpt-device.js';

/** Settings that a host changed, hex by the property's name. */
type StoredSettings = Readonly<Record<string, string>>;

/** Checks what a state file holds. @throws TypeError */
export function parseStoredSettings(json: unknown): StoredSettings {
  const entries = Object.entries((json ?? {}) as Record<string, unknown>);
  for (const [name, value] of entries) {
    if (!(name in PROPERTIES) || typeof value !== 'string' || !/^([0-9A-F]{2})*$/.test(value))
      throw new TypeError('settings must be hex by the name of a property');
  }
  return Object.fromEntries(entries) as StoredSettings;
}

/** What the properties are read from. */
interface PropertyDeps {
  readonly serial: string;
  readonly health: DeviceHealth;
  readonly pinKey: DukptDevice;
  readonly dataKey: DukptDevice;
  readonly settings: StateSlot<StoredSettings>;
}

/** Key mappings: by default they follow from the injected keys; the host may set others. */
const KEY_MAPPINGS = ['pinKeyMapping', 'pinAesKeyMapping', 'accountKeyMapping'] as const;
type KeyMapping = (typeof KEY_MAPPINGS)[number];
type Setting = Exclude<PropertyName, (typeof INFORMATION)[number] | KeyMapping>;

const INFORMATION = [
  'modelName',
  'firmwareVersion',
  'serialNumber',
  'transactionKeys',
  'tampered',
  'operationalStatus',
  'batteryCharge',
] as const;

const MODEL_NAME = 'DynaFlex II PED';
const MODEL_NAME_BYTES = 20;
const FIRMWARE = '1000007183-A5-PCI';
const FIRMWARE_BYTES = 19;
const SERIAL_DIGITS = 7;
const PIN_SLOT = 0x00;
const ACCOUNT_SLOT = 0x07;
/** What DUKPT makes of a key (the manual's transformation ids). */
const TRANSFORMATIONS = {
  pin: { tdes: 0x01, aes128: 0x07 },
  account: { tdes: 0x04, aes128: 0x0b },
} as const;
const MAPPING_BYTES = 3;

/** Settings as the device leaves the factory (the manual's defaults). */
const FACTORY: Readonly<Record<Setting, string>> = {
  arpcTimeout: 'FF',
  arpcRetries: '00',
  reportAllTags: '00',
  encryptedTags: '5A575F265F245F309F369F37F4F5',
  magstripeClearTags: '9A9C5F2A9F029F039F159F1E9F359F399F419F4E',
  maskCharacter: '30',
  panLeading: '04',
  panTrailing: '04',
  maskCheckDigit: '01',
  checkKeyedIn: '00',
  deviceFallback: '01',
  manualEntryPages: '00',
  resetNotification: '00',
  resetWarning: '03',
};
/** Longest value of the lists; every other setting has as many bytes as its default. */
const MAX_LIST_BYTES = 255;
const LISTS: ReadonlySet<PropertyName> = new Set(['encryptedTags', 'magstripeClearTags']);

/** Seven hex digits out of a serial of any form. */
export function serialDigits(serial: string): string {
  return serial
    .toUpperCase()
    .replace(/[^0-9A-F]/g, '')
    .slice(-SERIAL_DIGITS)
    .padStart(SERIAL_DIGITS, '0');
}

/** The properties of the device: settings of the host, and information about the device. */
export class DeviceProperties {
  readonly #sources: PropertyDeps;

  constructor(sources: PropertyDeps) {
    this.#sources = sources;
  }

  /** The value of a property. @throws StateError */
  get(name: PropertyName): Buffer {
    if (isInformation(name)) return this.#information(name);
    const set = this.#settings[name];
    if (set !== undefined) return fromHex(set);
    return isKeyMapping(name) ? this.#keyMapping(name) : fromHex(FACTORY[name]);
  }

  /** The first byte of a property. */
  byte(name: PropertyName): number {
    return this.get(name)[0] ?? 0;
  }

  /** Sets a property. @returns whether it may be set, and to this. @throws StateError */
  set(name: PropertyName, value: Uint8Array): boolean {
    if (isInformation(name)) return false;
    const ownBytes = isKeyMapping(name) ? MAPPING_BYTES : FACTORY[name].length / 2;
    const longest = LISTS.has(name) ? MAX_LIST_BYTES : ownBytes;
    const shortest = LISTS.has(name) ? 0 : longest;
    if (value.length < shortest || value.length > longest) return false;
    this.#sources.settings.write({ ...this.#settings, [name]: toHex(value) });
    return true;
  }

  get #settings(): StoredSettings {
    return this.#sources.settings.read() ?? {};
  }

  #information(name: (typeof INFORMATION)[number]): Buffer {
    const { serial, health } = this.#sources;
    switch (name) {
      case 'modelName':
        return padded(MODEL_NAME, MODEL_NAME_BYTES);
      case 'firmwareVersion':
        return padded(FIRMWARE, FIRMWARE_BYTES);
      case 'serialNumber':
        return fromHex(`${serialDigits(serial)}0`);
      case 'transactionKeys':
        return this.#keys();
      case 'tampered':
        return Buffer.of(health.tampered ? 1 : 0);
      case 'operationalStatus':
        return Buffer.of(health.tampered ? OPERATIONAL.offline : OPERATIONAL.online);
      case 'batteryCharge':
        return Buffer.of(health.batteryPercent);
    }
  }

  #keyMapping(name: KeyMapping): Buffer {
    const { pinKey, dataKey } = this.#sources;
    if (name === 'accountKeyMapping')
      return mappingTo(ACCOUNT_SLOT, TRANSFORMATIONS.account[dataKey.algorithm]);
    const algorithm = name === 'pinKeyMapping' ? 'tdes' : 'aes128';
    const transformation = TRANSFORMATIONS.pin[algorithm];
    return pinKey.algorithm === algorithm ? mappingTo(PIN_SLOT, transformation) : unmapped(transformation);
  }

  #keys(): Buffer {
    const { pinKey, dataKey } = this.#sources;
    const pin = pinKey.condition === 'erased' ? 0 : 1 << PIN_SLOT;
    const account = dataKey.condition === 'erased' ? 0 : 1 << ACCOUNT_SLOT;
    const bits = Buffer.alloc(4);
    bits.writeUInt32BE(pin | account);
    return bits;
  }
}

function isKeyMapping(name: PropertyName): name is KeyMapping {
  return (KEY_MAPPINGS as readonly string[]).includes(name);
}

function isInformation(name: PropertyName): name is (typeof INFORMATION)[number] {
  return (INFORMATION as readonly string[]).includes(name);
}

function mappingTo(slot: number, transformation: number): Buffer {
  const mapping = unmapped(transformation);
  mapping.writeUInt16BE(FIRST_KEY_SLOT + slot);
  return mapping;
}

function unmapped(transformation: number): Buffer {
  return Buffer.of(0, 0, transformation);
}

function padded(text: string, bytes: number): Buffer {
  const value = Buffer.alloc(bytes);
  value.write(text, 'latin1');
  return value;
}
