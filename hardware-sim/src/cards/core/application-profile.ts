import { encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';

/** How the card makes and checks cryptograms; the version stands in the issuer application data, tag 9F10. */
export type CryptogramVersion =
  /** Visa CVN 18: common session key, padding method 2, ARPC method 2, Visa secure messaging keys. */
  | 'visaCvn18'
  /** M/Chip CVN 20: common session key, padding method 2, ARPC method 1, common script keys. */
  | 'mchipCvn20';

/** What the card decides by itself (EMV Book 3 §10.8). */
export interface CardRiskRules {
  /** Answer to a TC requested in the first GENERATE AC: a TC, or always online. */
  readonly offlineRequest: 'accept' | 'go-online';
  /** Answer to a TC requested because the issuer cannot be reached. */
  readonly unableToGoOnline: 'accept' | 'decline';
  /** Most transactions in a row without the issuer. */
  readonly consecutiveOfflineLimit: number;
}

/** How a card proves offline that it is genuine (EMV Book 2 §5, §6). */
export type OdaMethod = 'sda' | 'dda' | 'cda';

/** A linear record file; record numbers begin with 1. */
export interface RecordFile {
  readonly sfi: number;
  readonly records: readonly (readonly TlvNode[])[];
  /** How many of its first records offline data authentication covers; none when absent. */
  readonly signed?: number;
}

/** One payment application of a chip as personalised, all of it data. */
export interface ApplicationProfile {
  /** Hex. */
  readonly aid: string;
  readonly label: string;
  readonly priority: number;
  /**
   * `contact` runs the full EMV flow; `tap` answers GET PROCESSING OPTIONS with the cryptogram (qVSDC), `tap-generate-ac` makes it on
   * GENERATE AC (M/Chip); `tap-magstripe` gives its track 2 equivalent in a record and makes no cryptogram (contactless magstripe mode).
   */
  readonly mode: 'contact' | 'tap' | 'tap-generate-ac' | 'tap-magstripe';
  readonly cryptogramVersion: CryptogramVersion;
  readonly pan: string;
  readonly psn: string;
  /** Format of the answer to GET PROCESSING OPTIONS: 1 is template 80, 2 is template 77. */
  readonly gpoFormat: 1 | 2;
  /** Hex of the lists; an empty text means the card has none. */
  readonly pdol: string;
  readonly cdol1: string;
  readonly cdol2: string;
  /** Tag 82, hex. */
  readonly aip: string;
  readonly files: readonly RecordFile[];
  /** Further objects of the qVSDC answer. */
  readonly tapObjects: readonly TlvNode[];
  readonly risk: CardRiskRules;
  /** A phone or watch: its holder has unlocked it (consumer device CVM). */
  readonly deviceVerifies?: boolean;
  /** A card without certificates has none. */
  readonly oda?: OdaMethod;
}

/** Whether the application is contactless. */
export function byField({ mode }: ApplicationProfile): boolean {
  return mode !== 'contact';
}

/** Application file locator, tag 94: every record of every file, and how many of them are signed (EMV Book 3 §10.2). */
export function fileLocator(files: readonly RecordFile[]): Buffer {
  return Buffer.from(files.flatMap(({ sfi, records, signed = 0 }) => [sfi << 3, 1, records.length, signed]));
}

/** The bytes that READ RECORD answers: template 70. */
export function encodeRecord(record: readonly TlvNode[]): Buffer {
  return encodeTlv([tlv('70', record)]);
}

/** A primitive data object out of hex. */
export function hexTlv(tag: string, hex: string): TlvNode {
  return tlv(tag, Buffer.from(hex, 'hex'));
}

/** A primitive data object out of ASCII text. */
export function textTlv(tag: string, text: string): TlvNode {
  return tlv(tag, Buffer.from(text, 'latin1'));
}
