import { toHex } from '../bytes.js';

/** Layouts of the issuer application data (tag 9F10) that differ by their shape. */
export type IadFormat = 'visa' | 'visaFormat2' | 'interac' | 'mchip' | 'ccd';

/** The parts of issuer application data that an issuer host needs. */
export interface Iad {
  readonly format: IadFormat;
  /** Cryptogram version byte as it stands: 10 is 0A, 17 is 11, 18 is 12; in Visa's format 2 version 22 is byte 22. */
  readonly cryptogramVersion: number;
  readonly derivationKeyIndex: number;
  /** Card verification results, 4 to 6 bytes. */
  readonly cvr: Uint8Array;
  /** Data authentication code or ICC dynamic number (M/Chip). */
  readonly dac?: Uint8Array;
  /** Counters and proprietary data behind. */
  readonly rest: Uint8Array;
}

/** The format, then where its parts are: cryptogram version, key index, card verification results, and the DAC where it has one. */
type Layout = readonly [
  format: IadFormat,
  matches: (bytes: Uint8Array) => boolean,
  cryptogramVersion: number,
  derivationKeyIndex: number,
  cvr: readonly [from: number, to: number],
  dac?: readonly [from: number, to: number],
];

/** Lengths of the M/Chip layout: without counters, with plaintext or enciphered ones, with script counters. */
const MCHIP_LENGTHS: readonly number[] = [10, 18, 20, 26, 28];

/** The layouts in the order in which they are tried: those with length bytes before those without. */
const LAYOUTS: readonly Layout[] = [
  // Common core definitions, EMV Book 3 Annex C9: two halves that each begin with 0F.
  ['ccd', (bytes) => bytes.length === 32 && bytes[0] === 0x0f && bytes[16] === 0x0f, 1, 2, [3, 8]],
  ['visaFormat2', (bytes) => bytes.length === 32 && bytes[0] === 0x1f, 1, 2, [3, 8]],
  ['visa', (bytes) => bytes.length >= 7 && bytes[0] === 0x06 && bytes[3] === 0x03, 2, 1, [3, 7]],
  ['interac', (bytes) => bytes.length === 22 && bytes[0] === 0x15 && bytes[3] === 0x04, 2, 1, [3, 8]],
  ['mchip', (bytes) => MCHIP_LENGTHS.includes(bytes.length), 1, 0, [2, 8], [8, 10]],
];

/** Reads tag 9F10 by its shape; `undefined` when it is none of the known layouts. */
export function readIad(bytes: Uint8Array): Iad | undefined {
  const layout = LAYOUTS.find(([, matches]) => matches(bytes));
  if (layout === undefined) return undefined;
  const [format, , cryptogramVersion, derivationKeyIndex, cvr, dac] = layout;
  return {
    format,
    cryptogramVersion: bytes[cryptogramVersion] ?? 0,
    derivationKeyIndex: bytes[derivationKeyIndex] ?? 0,
    cvr: bytes.subarray(...cvr),
    ...(dac && { dac: bytes.subarray(...dac) }),
    rest: bytes.subarray((dac ?? cvr)[1]),
  };
}

/** The content of issuer application data, in words. */
export function iadNames(bytes: Uint8Array): string[] {
  const iad = readIad(bytes);
  if (iad === undefined) return ['Layout not recognised'];
  const lines = [
    `Layout ${iad.format}, cryptogram version ${iad.cryptogramVersion} (${hexByte(iad.cryptogramVersion)}), derivation key index ${hexByte(iad.derivationKeyIndex)}`,
    `Card verification results ${toHex(iad.cvr)}`,
    cryptogramsLine(iad),
  ];
  if (iad.dac !== undefined) lines.push(`Data authentication code or dynamic number ${toHex(iad.dac)}`);
  if (iad.rest.length > 0) lines.push(`Counters and issuer data ${toHex(iad.rest)}`);
  return lines;
}

/** Two bits each, the same in all layouts (EMV Book 3 Annex C9.3 for the common one). */
const SECOND = ['AAC', 'TC', 'not requested', 'reserved'] as const;
const FIRST = ['AAC', 'TC', 'ARQC', 'reserved'] as const;
/** Layouts whose card verification results begin with their length. */
const WITH_LENGTH: ReadonlySet<IadFormat> = new Set(['visa', 'visaFormat2', 'interac']);

function cryptogramsLine({ format, cvr }: Iad): string {
  const byte = cvr[WITH_LENGTH.has(format) ? 1 : 0] ?? 0;
  return `First GENERATE AC ${FIRST[(byte >>> 4) & 3]}, second ${SECOND[byte >>> 6]}`;
}

function hexByte(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0');
}
