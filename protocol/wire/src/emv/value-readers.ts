import { toHex } from '../bytes.js';
import { currencyAlpha } from '../payment/currency-codes.js';
import {
  ADDITIONAL_TERMINAL_CAPABILITIES,
  AIP,
  AUC,
  CSU,
  CTQ,
  TERMINAL_CAPABILITIES,
  TERMINAL_TYPES,
  TSI,
  TTQ,
  TVR,
} from './bit-fields.js';
import { type BitTable, bitNames } from './bits.js';
import { cidNames } from './cid.js';
import { cvmListNames } from './cvm.js';
import { cvmResultsNames } from './cvm-results.js';
import { dolLength, parseDol } from './dol.js';
import { iadNames } from './iad.js';
import { type TagInfo, tagInfo } from './tags.js';
import { endOfTag } from './tlv.js';

/** The meaning of a value, line by line. */
type ValueReader = (value: Uint8Array) => readonly string[];

const TRANSACTION_TYPES: Readonly<Record<string, string>> = {
  '00': 'Purchase of goods or services',
  '01': 'Cash advance',
  '09': 'Purchase with cashback',
  '20': 'Refund',
  '21': 'Deposit',
  '30': 'Balance inquiry',
};

/** Response codes that EMV Book 4 Annex A6 gives terminals; others are the issuer's. */
const RESPONSE_CODES: Readonly<Record<string, string>> = {
  '00': 'Online approved',
  '05': 'Do not honour',
  '51': 'Insufficient funds',
  Y1: 'Offline approved',
  Z1: 'Offline declined',
  Y3: 'Unable to go online, offline approved',
  Z3: 'Unable to go online, offline declined',
};

const ENTRY_MODES: Readonly<Record<string, string>> = {
  '01': 'Manual',
  '02': 'Magnetic magstripe',
  '05': 'Integrated circuit card',
  '07': 'Contactless chip',
  '80': 'Fallback to magnetic stripe',
  '90': 'Magnetic magstripe, unaltered track',
  '91': 'Contactless magnetic stripe',
};

/** Tag 91 shows by its length which method the issuer used (EMV Book 2 §8.2). */
function issuerAuthenticationLines(value: Uint8Array): string[] {
  const hex = toHex(value);
  if (value.length === 10)
    return [`ARPC ${hex.slice(0, 16)} (method 1)`, `Response code "${printable(value.subarray(8))}"`];
  if (value.length < 8 || value.length > 16) return ['Not of the length of issuer authentication data'];
  const rest = value.length === 8 ? [] : [`Proprietary data ${hex.slice(16)}`];
  const orders = bitNames(value.subarray(4, 8), CSU);
  return [`ARPC ${hex.slice(0, 8)} (method 2)`, `Card status update ${hex.slice(8, 16)}`, ...orders, ...rest];
}

function currencyLines(value: Uint8Array): string[] {
  const digits = toHex(value).slice(-3);
  return [currencyAlpha(digits) ?? 'No currency that this program knows', digits];
}

/** Readers of the tags whose bytes need more than their format to be understood. */
const READERS: Readonly<Record<string, ValueReader>> = {
  '82': bits(AIP),
  '8A': (value) => lookUp(RESPONSE_CODES, printable(value), 'Issuer-defined response code'),
  '8E': cvmListNames,
  '91': issuerAuthenticationLines,
  '94': aflLines,
  '95': bits(TVR),
  '9A': dateLines,
  '9B': bits(TSI),
  '9C': (value) => lookUp(TRANSACTION_TYPES, toHex(value), 'Other transaction type'),
  '5F24': dateLines,
  '5F25': dateLines,
  '5F2A': currencyLines,
  '9F07': bits(AUC),
  '9F0D': bits(TVR),
  '9F0E': bits(TVR),
  '9F0F': bits(TVR),
  '9F10': iadNames,
  '9F13': unsignedLines,
  '9F17': unsignedLines,
  '9F1B': unsignedLines,
  '9F21': timeLines,
  '9F27': cidNames,
  '9F33': bits(TERMINAL_CAPABILITIES),
  '9F34': cvmResultsNames,
  '9F35': (value) => lookUp(TERMINAL_TYPES, toHex(value), 'Unknown terminal type'),
  '9F36': unsignedLines,
  '9F39': (value) => lookUp(ENTRY_MODES, toHex(value), 'Other entry mode'),
  '9F42': currencyLines,
  '9F40': bits(ADDITIONAL_TERMINAL_CAPABILITIES),
  '9F66': bits(TTQ),
  '9F6C': bits(CTQ),
  DF8120: bits(TVR),
  DF8121: bits(TVR),
  DF8122: bits(TVR),
};

/** The meaning of a tag's value; an empty list where hex is enough. Never call it for a sensitive tag. */
export function readValue(tag: string, value: Uint8Array): readonly string[] {
  const reader = READERS[tag];
  if (reader !== undefined) return reader(value);
  const info = tagInfo(tag);
  return info === undefined ? [] : byFormat(info, value);
}

function byFormat(info: TagInfo, value: Uint8Array): readonly string[] {
  switch (info.format) {
    case 'a':
    case 'an':
    case 'ans':
      return [`"${printable(value)}"`];
    case 'n':
      return /^\d+$/.test(toHex(value)) ? [toHex(value).replace(/^0+(?=\d)/, '')] : ['Not decimal digits'];
    case 'dol':
      return dolLines(value);
    case 'tags':
      return tagListLines(value);
    default:
      return [];
  }
}

/** Text of a value with everything outside printable ASCII replaced: card data must not steer a terminal window. */
function printable(value: Uint8Array): string {
  return Buffer.from(value)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '?');
}

function lookUp(table: Readonly<Record<string, string>>, key: string, otherwise: string): string[] {
  return [table[key] ?? otherwise];
}

function bits(table: BitTable): ValueReader {
  return (value) => bitNames(value, table);
}

function dateLines(value: Uint8Array): string[] {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(toHex(value));
  return match ? [`20${match[1]}-${match[2]}-${match[3]}`] : ['Not a date YYMMDD'];
}

function timeLines(value: Uint8Array): string[] {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(toHex(value));
  return match ? [`${match[1]}:${match[2]}:${match[3]}`] : ['Not a time HHMMSS'];
}

function unsignedLines(value: Uint8Array): string[] {
  return value.length === 0 ? [] : [BigInt(`0x${toHex(value)}`).toString()];
}

function aflLines(value: Uint8Array): string[] {
  if (value.length === 0 || value.length % 4 !== 0) return ['Not of the form of a file locator'];
  const lines: string[] = [];
  for (let at = 0; at < value.length; at += 4) {
    const [sfi = 0, first = 0, last = 0, signed = 0] = value.subarray(at, at + 4);
    lines.push(`SFI ${sfi >>> 3}, records ${first} to ${last}, ${signed} in offline data authentication`);
  }
  return lines;
}

function dolLines(value: Uint8Array): string[] {
  try {
    const entries = parseDol(value);
    const lines = entries.map(
      ({ tag, length }) => `${tag} ${tagInfo(tag)?.name ?? 'Unknown'}, ${length} bytes`,
    );
    return [...lines, `Together ${dolLength(entries)} bytes`];
  } catch {
    return ['Not of the form of a data object list'];
  }
}

function tagListLines(value: Uint8Array): string[] {
  const lines: string[] = [];
  try {
    for (let at = 0; at < value.length; ) {
      const end = endOfTag(value, at);
      const tag = toHex(value.subarray(at, end));
      lines.push(`${tag} ${tagInfo(tag)?.name ?? 'Unknown'}`);
      at = end;
    }
    return lines;
  } catch {
    return ['Not of the form of a tag list'];
  }
}
