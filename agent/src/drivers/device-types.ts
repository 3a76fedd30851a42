import { SERIAL_BAUD_RATES } from '@tillbridge/protocol/terminals/serial-speeds.js';
import type { Transport } from '@tillbridge/protocol/terminals/transports.js';
import type { OpenMaker } from './core/maker-session.js';

/** How a model is plugged in, as far as its maker's protocol goes. */
export interface DeviceTypeSpec {
  /** Transports that the driver speaks over; the first is meant where the configuration names none. */
  readonly transports: readonly [Transport, ...Transport[]];
  /** Speed of its serial line unless configured. */
  readonly baudRate: number;
  /** It keeps EMV tables that the agent loads: applications, and the authorities whose cards it trusts. */
  readonly emvTables: boolean;
  /** Its HID reports begin with a number. */
  readonly reportIds: boolean;
  /** USB vendor id, for finding what is plugged in; undefined where it is not published. */
  readonly usbVendorId?: number;
  /** The maker's side of it; loaded only where such a model is configured. */
  readonly load: () => Promise<{ readonly openMaker: OpenMaker }>;
}

/** The models that the agent has a driver for (`pos.deviceType`, spec 2.3). */
export const DEVICE_TYPE_SPECS = {
  GERTEC_PPC930: {
    transports: ['serial'],
    baudRate: SERIAL_BAUD_RATES.GERTEC_PPC930,
    emvTables: true,
    reportIds: false,
    load: () => import('./gertec/session.js'),
  },
  // Reports of USB-HID with an id each, or frames as they are over a serial line: the framing follows from the transport.
  IDTECH_VP6800: {
    transports: ['hid', 'serial'],
    baudRate: SERIAL_BAUD_RATES.IDTECH_VP6800,
    emvTables: false,
    reportIds: true,
    usbVendorId: 0x0acd,
    load: () => import('./idtech/session.js'),
  },
  // Reports of USB-HID, or SLIP over a serial line: the framing follows from the transport.
  MAGTEK_DYNAFLEX: {
    transports: ['hid', 'serial'],
    baudRate: SERIAL_BAUD_RATES.MAGTEK_DYNAFLEX,
    emvTables: false,
    reportIds: false,
    usbVendorId: 0x0801,
    load: () => import('./magtek/session.js'),
  },
  // MPI over TCP listens on port 6543.
  MIURA_M020: {
    transports: ['serial', 'tcp'],
    baudRate: SERIAL_BAUD_RATES.MIURA_M020,
    emvTables: false,
    reportIds: false,
    load: () => import('./miura/session.js'),
  },
  NEWLAND_P180: {
    transports: ['serial'],
    baudRate: SERIAL_BAUD_RATES.NEWLAND_P180,
    emvTables: false,
    reportIds: false,
    load: () => import('./newland/session.js'),
  },
  // SDI over TCP listens on port 12000; the framing follows from the transport.
  VERIFONE_P400: {
    transports: ['serial', 'tcp'],
    baudRate: SERIAL_BAUD_RATES.VERIFONE_P400,
    emvTables: false,
    reportIds: false,
    load: () => import('./verifone/session.js'),
  },
} as const satisfies Readonly<Record<string, DeviceTypeSpec>>;

/** A model. */
export type DeviceType = keyof typeof DEVICE_TYPE_SPECS;

/** Every model. */
export const DEVICE_TYPES = Object.keys(DEVICE_TYPE_SPECS) as DeviceType[];

/** What is known of a model. */
export function deviceTypeSpec(deviceType: DeviceType): DeviceTypeSpec {
  return DEVICE_TYPE_SPECS[deviceType];
}
