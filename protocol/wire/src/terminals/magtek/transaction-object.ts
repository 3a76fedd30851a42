import { encodeTlv, findTemplate, findTlv, type TlvNode, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { blockBytesOf } from './encryption-type.js';
import { parameter, readParameters } from './message.js';

/** Tags of the objects that ask the issuer (ARQC) and that end a transaction (batch data), DynaPro format. */
export const OBJECT_TAGS = {
  container: 'F9',
  macKsn: 'DFDF54',
  macType: 'DFDF55',
  serial: 'DFDF25',
  generic: 'FA',
  request: '70',
  results: 'F0',
  statusData: 'F1',
  transactionStatus: 'DFDF1A',
  additionalInformation: 'DFDF1B',
  clearBatch: 'F2',
  merchantData: 'F7',
  enciphered: 'F8',
  cipherText: 'DFDF59',
  ksn: 'DFDF56',
  encryptionType: 'DFDF57',
  paddingBytes: 'DFDF58',
  fallback: 'DFDF53',
  cardType: 'DFDF52',
  maskedMagstripe: 'DFDF33',
  maskedChip: 'DFDF4D',
  /** Outcome of a tap (EMV Book A: outcome parameters). */
  outcomeParameters: 'DF29',
} as const;

/** Values of DFDF52. */
export const CARD_TYPES = {
  other: 0x00,
  magstripe: 0x01,
  aamva: 0x02,
  manual: 0x03,
  unknown: 0x04,
  contact: 0x05,
  contactless: 0x06,
  magstripeOfChipCard: 0x07,
  contactlessMagstripe: 0x08,
} as const;

/** Values of the fourth byte of DF29: how the holder of a tap is verified. */
export const OUTCOME_CVM = {
  none: 0x00,
  signature: 0x10,
  onlinePin: 0x20,
  device: 0x30,
  notApplicable: 0xf0,
} as const;
/** Which byte of DF29 that is. */
export const OUTCOME_CVM_AT = 3;

/** Values of DFDF53. */
export const FALLBACK_INDICATORS = { none: 0x00, technical: 0x01, magstripe: 0x81 } as const;

/** Values of DFDF1A. */
export const TRANSACTION_STATUS = { accept: 0x00, decline: 0x01, error: 0x02 } as const;

const BYTES = { length: 2, mac: 4, maxBody: 0xffff } as const;

/** The content that the device authenticates. */
interface TransactionBody {
  readonly macKsn: Uint8Array;
  readonly macType: number;
  readonly serial: Uint8Array;
  /** Children of FA. */
  readonly generic: readonly TlvNode[];
  /** Further children of F9: the batch data in clear. */
  readonly furtherObjects?: readonly TlvNode[];
}

/** An object as it came. */
export interface TransactionObject extends Omit<TransactionBody, 'furtherObjects'> {
  /** What the MAC is made over, filled to whole blocks by zeros where the sender did not. */
  readonly authenticated: Buffer;
  readonly mac: Buffer;
  /** All of F9. */
  readonly nodes: readonly TlvNode[];
}

/** Length, F9 and the zeros behind it: what the MAC is made over. @throws TerminalFormatError when it is too long */
export function encodeAuthenticated({
  macKsn,
  macType,
  serial,
  generic,
  furtherObjects = [],
}: TransactionBody): Buffer {
  const body = encodeTlv([
    tlv(OBJECT_TAGS.container, [
      tlv(OBJECT_TAGS.macKsn, macKsn),
      tlv(OBJECT_TAGS.macType, Buffer.of(macType)),
      tlv(OBJECT_TAGS.serial, serial),
      tlv(OBJECT_TAGS.generic, generic),
      ...furtherObjects,
    ]),
  ]);
  if (body.length > BYTES.maxBody)
    throw new TerminalFormatError('transaction object', 'has more than 65,535 bytes');
  const length = Buffer.of(body.length >> 8, body.length & 0xff);
  const filling = fillingOf(BYTES.length + body.length, blockBytesOf(macType));
  return Buffer.concat([length, body, Buffer.alloc(filling)]);
}

function fillingOf(length: number, blockBytes: number): number {
  return (blockBytes - (length % blockBytes)) % blockBytes;
}

/** The whole object. @param mac at least four bytes, of which the first four are sent */
export function encodeTransactionObject(authenticated: Uint8Array, mac: Uint8Array): Buffer {
  return Buffer.concat([authenticated, mac.subarray(0, BYTES.mac)]);
}

/**
 * Reads an ARQC or batch data object. The zeros behind F9 may be as many as the sender likes: the published text and its
 * example count them differently. The MAC is the last four bytes.
 * @throws TerminalFormatError
 */
export function decodeTransactionObject(bytes: Uint8Array): TransactionObject {
  const object = Buffer.from(bytes);
  if (object.length < BYTES.length + BYTES.mac)
    throw new TerminalFormatError('transaction object', 'is too short');
  const end = BYTES.length + object.readUInt16BE();
  if (end + BYTES.mac > object.length)
    throw new TerminalFormatError('transaction object', 'is shorter than its length');
  const authenticated = object.subarray(0, -BYTES.mac);
  const [container, more] = readParameters(object.subarray(BYTES.length, end));
  if (container?.tag !== OBJECT_TAGS.container || !('children' in container) || more)
    throw new TerminalFormatError('transaction object', 'must be one F9');
  const nodes = container.children;
  const [macKsn, macType, serial] = [OBJECT_TAGS.macKsn, OBJECT_TAGS.macType, OBJECT_TAGS.serial].map((tag) =>
    parameter(nodes, tag),
  );
  const generic = findTemplate(nodes, OBJECT_TAGS.generic);
  if (!macKsn || macType?.length !== 1 || !serial || !generic)
    throw new TerminalFormatError('transaction object', 'must have DFDF54, DFDF55, DFDF25 and FA');
  const type = macType[0] ?? 0;
  const filling = authenticated.subarray(end);
  if (filling.some((byte) => byte !== 0) || filling.length >= 2 * blockBytesOf(type))
    throw new TerminalFormatError('transaction object', 'has something else than a few zeros behind it');
  return {
    macKsn,
    macType: type,
    serial,
    generic,
    authenticated,
    mac: object.subarray(-BYTES.mac),
    nodes,
  };
}

/** The enciphered part of an object. */
export interface EncipheredPart {
  readonly data: Uint8Array;
  readonly ksn: Uint8Array;
  readonly encryptionType: number;
  /** Bytes at the end of the clear data that only fill the last block. */
  readonly paddingBytes: number;
}

/** F8 as nodes. */
export function encodeEnciphered({ data, ksn, encryptionType, paddingBytes }: EncipheredPart): TlvNode {
  return tlv(OBJECT_TAGS.enciphered, [
    tlv(OBJECT_TAGS.cipherText, data),
    tlv(OBJECT_TAGS.ksn, ksn),
    tlv(OBJECT_TAGS.encryptionType, Buffer.of(encryptionType)),
    tlv(OBJECT_TAGS.paddingBytes, Buffer.of(paddingBytes)),
  ]);
}

/** F8 of an object. @throws TerminalFormatError when it is missing or not whole */
export function encipheredPart({ generic }: Pick<TransactionBody, 'generic'>): EncipheredPart {
  const nodes = findTemplate(generic, OBJECT_TAGS.enciphered) ?? [];
  const [data, ksn, type, padding] = [
    OBJECT_TAGS.cipherText,
    OBJECT_TAGS.ksn,
    OBJECT_TAGS.encryptionType,
    OBJECT_TAGS.paddingBytes,
  ].map((tag) => findTlv(nodes, tag));
  if (!data || !ksn || type?.length !== 1 || padding?.length !== 1)
    throw new TerminalFormatError('enciphered data', 'must have DFDF59, DFDF56, DFDF57 and DFDF58');
  return { data, ksn, encryptionType: type[0] ?? 0, paddingBytes: padding[0] ?? 0 };
}
