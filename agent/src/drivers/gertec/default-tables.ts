import { type CapkRecord, loadCapk } from '@tillbridge/wire/crypto/emv/capk.js';
import { DEVELOPMENT_CAPKS, TEST_CAPKS } from '@tillbridge/wire/crypto/emv/test-capks.js';
import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { AidFields, TableRecord } from '@tillbridge/wire/terminals/abecs/tables.js';
import type { TerminalPlace } from '../core/maker-session.js';
import type { AbecsConfig } from './config.js';

/** Acquirer reference of the development tables. */
const DEVELOPMENT_ACQUIRER = '01';

/** What differs between the applications of the development tables. */
interface Application {
  readonly label: string;
  readonly aid: string;
  /** T1_APPVER1 to 3: the versions its cards may have (tag 9F08). */
  readonly versions: readonly [string, string, string];
  /** T1_CTLSMODE: 2 qVSDC, 4 M/Chip. */
  readonly contactlessMode: string;
  /** T1_APPTYPE: 01 credit, 02 debit. */
  readonly type: string;
}

const VISA_VERSIONS = ['008C', '0096', '008D'] as const;
const MCHIP_VERSIONS = ['0002', '0003', '0001'] as const;

const APPLICATIONS: readonly Application[] = [
  { label: 'VISA', aid: 'A0000000031010', versions: VISA_VERSIONS, contactlessMode: '2', type: '01' },
  {
    label: 'VISA ELECTRON',
    aid: 'A0000000032010',
    versions: VISA_VERSIONS,
    contactlessMode: '2',
    type: '02',
  },
  { label: 'MASTERCARD', aid: 'A0000000041010', versions: MCHIP_VERSIONS, contactlessMode: '4', type: '01' },
  { label: 'MAESTRO', aid: 'A0000000043060', versions: MCHIP_VERSIONS, contactlessMode: '4', type: '02' },
];

/**
 * Terminal action codes (EMV Book 3 §10.7). They name every failure, but not "offline data authentication was not
 * performed" (byte 1, bit 8): most development cards carry no certificates.
 */
const ACTION_CODES = {
  // Without the issuer, decline: failed authentication, dates, failed or missing PIN, online PIN, merchant's wish.
  default: '7C70BC0800',
  // Never: an application that may not be used here.
  denial: '0010000000',
  // Ask the issuer: the same, and floor limit, velocity, random selection.
  online: '7C70BCF800',
};

/** Manual, magstripe, chip; every PIN, signature, no CVM; SDA, DDA, CDA (tag 9F33). */
const TERMINAL_CAPABILITIES = 'E0F8C8';
/** Goods, services; numeric keys, display, printer (tag 9F40). */
const ADDITIONAL_CAPABILITIES = '6000F0A001';

/** Limits of the development tables in whole units of the currency; a sale's own floor limit comes with GOX. */
const FLOOR_LIMIT_UNITS = 50;
const TAP_LIMIT_UNITS = 500;
const TAP_CVM_LIMIT_UNITS = 50;

function minorHex(units: number, currency: string): string {
  return (units * 10 ** minorDigits(currency)).toString(16).toUpperCase();
}

function aidFields(application: Application, place: TerminalPlace): AidFields {
  const [first, second, third] = application.versions;
  const tapLimit = minorHex(TAP_LIMIT_UNITS, place.currency);
  return {
    T1_AIDLEN: String(application.aid.length / 2).padStart(2, '0'),
    T1_AID: application.aid,
    T1_APPTYPE: application.type,
    T1_DEFLABEL: application.label,
    T1_ICCSTD: '03',
    T1_APPVER1: first,
    T1_APPVER2: second,
    T1_APPVER3: third,
    T1_TRMCNTRY: place.country,
    T1_TRNCURR: currencyNumber(place.currency) ?? '',
    T1_TRNCRREXP: String(minorDigits(place.currency)),
    T1_MERCHID: place.merchantId,
    T1_MCC: place.merchantCategory,
    T1_TRMID: place.terminalId,
    T1_TRMCAPAB: TERMINAL_CAPABILITIES,
    T1_ADDTRMCP: ADDITIONAL_CAPABILITIES,
    // Attended, online with offline capability (tag 9F35).
    T1_TRMTYP: '22',
    T1_TACDEF: ACTION_CODES.default,
    T1_TACDEN: ACTION_CODES.denial,
    T1_TACONL: ACTION_CODES.online,
    T1_FLRLIMIT: minorHex(FLOOR_LIMIT_UNITS, place.currency),
    T1_TCC: 'R',
    T1_CTLSZEROAM: '0',
    T1_CTLSMODE: application.contactlessMode,
    T1_CTLSTRNLIM: tapLimit,
    T1_CTLSFLRLIM: '0',
    T1_CTLSCVMLIM: minorHex(TAP_CVM_LIMIT_UNITS, place.currency),
    T1_CTLSAPPVER: '0001',
    T1_RUF1: '0',
    T1_TDOLDEF: '9F02065F2A029A039C0195059F3704',
    T1_DDOLDEF: '9F3704',
    T1_ARCOFFLN: 'Y1Z1Y3Z3',
    T1_CTLSTACDEF: ACTION_CODES.default,
    T1_CTLSTACDEN: ACTION_CODES.denial,
    T1_CTLSTACONL: ACTION_CODES.online,
    T1_CTLSTRMCP: TERMINAL_CAPABILITIES,
    T1_MOBCVM: '1',
    T1_CTLSADDTC: ADDITIONAL_CAPABILITIES,
    T1_CTLSMBTLIM: tapLimit,
    T1_CTLSISSSCR: '0',
  };
}

function recordIndex(at: number): string {
  return String(at + 1).padStart(2, '0');
}

/** Public key records of one acquirer. Every hash is checked. @throws CryptoError when one is wrong */
function capkRecords(keys: readonly CapkRecord[], acquirer: string): TableRecord[] {
  return keys.map((key, at) => {
    loadCapk(key);
    return {
      table: 'capk',
      acquirer,
      index: recordIndex(at),
      fields: {
        T2_RID: key.rid,
        T2_CAPKIDX: key.index,
        T2_RUF1: '00',
        T2_EXPLEN: String(key.exponent.length / 2),
        T2_EXP: key.exponent,
        T2_MODLEN: String(key.modulus.length / 2).padStart(3, '0'),
        T2_MOD: key.modulus,
        T2_CHKSTAT: '1',
        T2_CHECKSUM: key.sha1,
        T2_RUF2: '',
      },
    };
  });
}

/**
 * AID records of Visa, Electron, Mastercard and Maestro, and public keys: by default the schemes' published test keys and the development
 * authority's, which are not for live use.
 */
function developmentTables(
  place: TerminalPlace,
  capks: readonly CapkRecord[] = [...TEST_CAPKS, ...DEVELOPMENT_CAPKS],
): TableRecord[] {
  const aids: TableRecord[] = APPLICATIONS.map((application, at) => ({
    table: 'aid',
    acquirer: DEVELOPMENT_ACQUIRER,
    index: recordIndex(at),
    fields: aidFields(application, place),
  }));
  return [...aids, ...capkRecords(capks, DEVELOPMENT_ACQUIRER)];
}

/** A configuration for development: the tables above, keys in the slots of the simulated terminal. */
export function developmentConfig(place: TerminalPlace, capks?: readonly CapkRecord[]): AbecsConfig {
  return {
    acquirer: DEVELOPMENT_ACQUIRER,
    pinKeyIndex: 1,
    dataKeyIndex: 1,
    tables: developmentTables(place, capks),
    contactless: true,
    magstripeFallback: true,
    idleLines: ['TILLBRIDGE', 'READY'],
    pinPrompt: 'ENTER YOUR PIN',
  };
}
