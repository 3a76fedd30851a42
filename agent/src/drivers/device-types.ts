import { type DeviceType, deviceTypeOf } from '@tillbridge/wire/terminals/device-types.js';
import { SERIAL_BAUD_RATES } from '@tillbridge/wire/terminals/serial-speeds.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { HidUsage } from '../ports/choose-hid.js';
import type { OpenMaker } from './core/maker-session.js';

/** A command that a model carries out outside of sales: show a text, read a card, request a key, a choice or digits, print, restart. */
export type CommandOutsideSale = 'text' | 'card' | 'confirm' | 'choose' | 'digits' | 'print' | 'restart';

/** A row of the table of models. */
interface DeviceTypeRow {
  /** Transports of the driver; the first is used where the configuration names none. */
  readonly transports: readonly [Transport, ...Transport[]];
  /** Commands outside of sales that its maker's protocol has and its driver carries out. */
  readonly commandsOutsideSale: readonly CommandOutsideSale[];
  /** The agent loads its EMV tables: applications, and the authorities whose cards it trusts. False where absent. */
  readonly emvTables?: boolean;
  /** Its HID reports begin with a number. False where absent. */
  readonly reportIds?: boolean;
  /** Its HID usage; without it any usage page of its maker. */
  readonly usage?: HidUsage;
  /** The maker's session; loaded only where such a model is configured. */
  readonly load: () => Promise<{ readonly openMaker: OpenMaker }>;
}

/** What is known of a model. */
interface DeviceTypeSpec extends DeviceTypeRow {
  /** Speed of its serial line unless configured. */
  readonly baudRate: number;
  readonly emvTables: boolean;
  readonly reportIds: boolean;
}

/** The driver of each model. */
const DEVICE_TYPE_ROWS: Readonly<Record<DeviceType, DeviceTypeRow>> = {
  GERTEC_PPC930: {
    transports: ['serial'],
    commandsOutsideSale: ['text', 'card', 'confirm', 'choose', 'digits'],
    emvTables: true,
    load: () => import('./gertec/session.js'),
  },
  // Reports of USB-HID with an id each, or frames as they are over a serial line: the framing follows from the transport.
  IDTECH_VP6800: {
    transports: ['hid', 'serial'],
    commandsOutsideSale: ['text'],
    reportIds: true,
    load: () => import('./idtech/session.js'),
  },
  // Reports of USB-HID, or SLIP over a serial line: the framing follows from the transport.
  MAGTEK_DYNAFLEX: {
    transports: ['hid', 'serial'],
    commandsOutsideSale: ['restart'],
    usage: { page: 0xff00, usage: 0x20 },
    load: () => import('./magtek/session.js'),
  },
  // MPI over TCP listens on port 6543.
  MIURA_M020: {
    transports: ['serial', 'tcp'],
    commandsOutsideSale: ['text', 'confirm', 'print', 'restart'],
    load: () => import('./miura/session.js'),
  },
  NEWLAND_P180: {
    transports: ['serial'],
    commandsOutsideSale: ['text', 'restart'],
    load: () => import('./newland/session.js'),
  },
  // SDI over TCP listens on port 12000; the framing follows from the transport.
  VERIFONE_P400: {
    transports: ['serial', 'tcp'],
    commandsOutsideSale: ['text', 'card', 'confirm', 'choose', 'digits', 'print', 'restart'],
    load: () => import('./verifone/session.js'),
  },
};

/** Commands that a model carries out outside of sales; none for one without a driver. */
export function commandsOutsideSale(deviceType: string): readonly CommandOutsideSale[] {
  const known = deviceTypeOf(deviceType);
  return known ? DEVICE_TYPE_ROWS[known].commandsOutsideSale : [];
}

/** What is known of a model. */
export function deviceTypeSpec(deviceType: DeviceType): DeviceTypeSpec {
  const baudRate = SERIAL_BAUD_RATES[deviceType];
  return { baudRate, emvTables: false, reportIds: false, ...DEVICE_TYPE_ROWS[deviceType] };
}
