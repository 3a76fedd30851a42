import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { ApplicationParameters } from '../../kernel/terminal-parameters.js';

/** Where a simulated terminal stands, for the objects of its EMV configuration. */
export interface TerminalPlace {
  /** ISO 3166-1 numeric, three digits (tag 9F1A). */
  readonly country: string;
  /** ISO 4217 alpha-3; a sale may name another. */
  readonly currency: string;
  /** Tag 9F15, four digits. */
  readonly merchantCategory: string;
  /** Tag 9F16, up to 15 characters. */
  readonly merchantId: string;
}

/** A shop in Germany that sells in euro. */
export const DEVELOPMENT_PLACE: TerminalPlace = {
  country: '276',
  currency: 'EUR',
  merchantCategory: '5999',
  merchantId: 'TILLBRIDGE DEV',
};

const VISA_VERSIONS = ['008C', '0096', '008D'] as const;
const MCHIP_VERSIONS = ['0002', '0003', '0001'] as const;

/** The applications that a terminal accepts as it leaves the simulator's factory, and their versions (tag 9F09). */
const APPLICATIONS: Readonly<Record<string, readonly string[]>> = {
  A0000000031010: VISA_VERSIONS,
  A0000000032010: VISA_VERSIONS,
  A0000000041010: MCHIP_VERSIONS,
  A0000000043060: MCHIP_VERSIONS,
};

/** AIDs of {@link terminalApplication}, hex. */
export const TERMINAL_AIDS: readonly string[] = Object.keys(APPLICATIONS);

/** Attended, online with offline capability (tag 9F35). */
const TERMINAL_TYPE = '22';
/** Manual, magstripe, chip; every PIN, signature, no CVM; SDA, DDA, CDA (tag 9F33). */
const TERMINAL_CAPABILITIES = 'E0F8C8';
/** Goods, services; numeric keys, display, printer (tag 9F40). */
const ADDITIONAL_CAPABILITIES = '6000F0A001';
/**
 * Terminal action codes (EMV Book 3 §10.7): every failure goes online, or declines without a connection; that offline data
 * authentication was not performed is no reason for either.
 */
const ACTION_CODES = {
  denial: Buffer.from('0010000000', 'hex'),
  online: Buffer.from('7C70BCF800', 'hex'),
  default: Buffer.from('7C70BC0800', 'hex'),
} as const;
/** Bytes of tag 9F1E, the interface device's serial number. */
const IFD_SERIAL_BYTES = 8;

/** From this many whole units of the currency on, a tap requires cardholder verification. */
const TAP_CVM_LIMIT_UNITS = 50;

/** The amount from which a tap requires cardholder verification, in minor units. */
export function tapCvmLimitMinor(currency: string): number {
  return TAP_CVM_LIMIT_UNITS * 10 ** minorDigits(currency);
}

/**
 * What the terminal knows for one of its AIDs.
 * @param serial the maker's serial number; its last eight characters become tag 9F1E
 * @param terminalId tag 9F1C, up to eight characters
 * @throws RangeError for an AID that is not the terminal's
 */
export function terminalApplication(
  aid: string,
  place: TerminalPlace,
  serial: string,
  terminalId: string,
): ApplicationParameters {
  const versions = APPLICATIONS[aid];
  if (!versions) throw new RangeError(`the terminal has no application ${aid}`);
  const currency = currencyNumber(place.currency) ?? '';
  return {
    aid,
    versions,
    actionCodes: ACTION_CODES,
    objects: new Map<string, Uint8Array>([
      ['9F1A', Buffer.from(place.country.padStart(4, '0'), 'hex')],
      ['5F2A', Buffer.from(currency.padStart(4, '0'), 'hex')],
      ['5F36', Buffer.of(minorDigits(place.currency))],
      ['9F15', Buffer.from(place.merchantCategory, 'hex')],
      ['9F16', Buffer.from(place.merchantId.padEnd(15), 'latin1')],
      ['9F1C', Buffer.from(terminalId.slice(-8).padStart(8, '0'), 'latin1')],
      ['9F33', Buffer.from(TERMINAL_CAPABILITIES, 'hex')],
      ['9F35', Buffer.from(TERMINAL_TYPE, 'hex')],
      ['9F40', Buffer.from(ADDITIONAL_CAPABILITIES, 'hex')],
      ['9F1E', Buffer.from(serial.slice(-IFD_SERIAL_BYTES).padStart(IFD_SERIAL_BYTES, '0'), 'latin1')],
      ['9F53', Buffer.from('R', 'latin1')],
    ]),
  };
}
