/** A command to a card, short form (ISO/IEC 7816-4 §5.1, EMV Book 3 §6.3). */
export interface CommandApdu {
  readonly cla: number;
  readonly ins: number;
  readonly p1: number;
  readonly p2: number;
  readonly data: Uint8Array;
}

/** A card's answer: data and the two status bytes as one number, such as 0x9000. */
export interface ResponseApdu {
  readonly data: Uint8Array;
  readonly sw: number;
}

/** P1 of SELECT by name; P2 for the first and for each further application of that name (EMV Book 1 §11.3). */
export const SELECT = { byName: 0x04, first: 0x00, next: 0x02 } as const;

/** Instruction bytes that terminals and issuers use (EMV Book 3 §6.5). */
export const INS = {
  applicationBlock: 0x1e,
  applicationUnblock: 0x18,
  cardBlock: 0x16,
  externalAuthenticate: 0x82,
  generateAc: 0xae,
  getData: 0xca,
  getProcessingOptions: 0xa8,
  internalAuthenticate: 0x88,
  pinChangeUnblock: 0x24,
  readRecord: 0xb2,
  select: 0xa4,
  verify: 0x20,
} as const;

/** Directories of a card: by contacts (EMV Book 1 §12.2.1) and by field (EMV Contactless Book B §3.3). */
export const DIRECTORY_NAMES = {
  contact: Buffer.from('1PAY.SYS.DDF01', 'latin1'),
  contactless: Buffer.from('2PAY.SYS.DDF01', 'latin1'),
} as const;

/** Status words (EMV Book 3 §6.3.5, ISO/IEC 7816-4 §5.1.3). */
export const SW = {
  ok: 0x9000,
  selectedFileInvalidated: 0x6283,
  authenticationFailed: 0x6300,
  memoryFailure: 0x6581,
  wrongLength: 0x6700,
  securityStatusNotSatisfied: 0x6982,
  authenticationMethodBlocked: 0x6983,
  referencedDataInvalidated: 0x6984,
  conditionsNotSatisfied: 0x6985,
  secureMessagingIncorrect: 0x6988,
  wrongData: 0x6a80,
  functionNotSupported: 0x6a81,
  fileNotFound: 0x6a82,
  recordNotFound: 0x6a83,
  wrongParameters: 0x6a86,
  referencedDataNotFound: 0x6a88,
  instructionNotSupported: 0x6d00,
  classNotSupported: 0x6e00,
} as const;

/** Bytes that are no command or no answer. */
export class ApduError extends Error {
  override readonly name = 'ApduError';
}

const HEADER_BYTES = 4;
const MAX_DATA_BYTES = 255;

/** The bytes of a command: with data as case 4 (Lc, data, Le 00), without as case 2. @throws ApduError */
export function encodeCommand(command: CommandApdu): Buffer {
  const { cla, ins, p1, p2, data } = command;
  if (data.length > MAX_DATA_BYTES)
    throw new ApduError(`${data.length} data bytes, at most ${MAX_DATA_BYTES}`);
  const lc = data.length === 0 ? [] : [data.length];
  return Buffer.concat([Buffer.from([cla, ins, p1, p2, ...lc]), data, Buffer.from([0])]);
}

/** Reads a short command of any of the four cases; Le is not kept. @throws ApduError */
export function decodeCommand(bytes: Uint8Array): CommandApdu {
  const [cla, ins, p1, p2, lc = 0] = bytes;
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined) {
    throw new ApduError(`${bytes.length} bytes, a command has at least ${HEADER_BYTES}`);
  }
  const header = { cla, ins, p1, p2 };
  if (bytes.length <= HEADER_BYTES + 1) return { ...header, data: Buffer.alloc(0) };
  const end = HEADER_BYTES + 1 + lc;
  if (bytes.length !== end && bytes.length !== end + 1) {
    throw new ApduError(`Lc is ${lc}, but ${bytes.length - HEADER_BYTES - 1} bytes follow`);
  }
  return { ...header, data: Buffer.from(bytes.subarray(HEADER_BYTES + 1, end)) };
}

/** The bytes of an answer. */
export function encodeResponse(response: ResponseApdu): Buffer {
  return Buffer.concat([response.data, Buffer.from([response.sw >>> 8, response.sw & 0xff])]);
}

/** Reads an answer. @throws ApduError when it has no status word */
export function decodeResponse(bytes: Uint8Array): ResponseApdu {
  if (bytes.length < 2) throw new ApduError(`${bytes.length} bytes, an answer ends with two status bytes`);
  const at = bytes.length - 2;
  return { data: Buffer.from(bytes.subarray(0, at)), sw: ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) };
}
