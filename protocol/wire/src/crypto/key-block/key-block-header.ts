import { CryptoError } from '../ciphers/errors.js';

/** Key block versions: A and C bind by key variants, B and D derive keys (TDES and AES). */
export type KeyBlockVersion = 'A' | 'B' | 'C' | 'D';

/** One optional block of a header: identifier and data, text as it stands. */
interface OptionalBlock {
  readonly id: string;
  readonly data: string;
}

/** The attributes of a key in a key block (X9.143 §6). */
export interface KeyBlockHeader {
  readonly version: KeyBlockVersion;
  /** Two characters: `P0` PIN encipherment, `B0` BDK, `E0` issuer master key, ... */
  readonly usage: string;
  /** One character: `T` TDES, `A` AES, `H` HMAC, ... */
  readonly algorithm: string;
  /** One character: `E` encipher only, `D` decipher only, `B` both, `N` no restriction, ... */
  readonly mode: string;
  /** Two characters. */
  readonly keyVersion: string;
  /** `E` exportable under a trusted key, `N` not exportable, `S` sensitive. */
  readonly exportability: string;
  /** Optional blocks in order, without the padding block. */
  readonly optionalBlocks: readonly OptionalBlock[];
}

/** A header as read, with where it ends. */
interface ReadHeader {
  readonly header: KeyBlockHeader;
  /** Length that the block declares, characters. */
  readonly declaredLength: number;
  /** Characters of the header with its optional blocks. */
  readonly headerLength: number;
}

/** Characters of a header without optional blocks. */
const KEY_BLOCK_HEADER_LENGTH = 16;
/** Highest length that four digits can express. */
const KEY_BLOCK_MAX_LENGTH = 9999;
/** Identifier of the block that only fills up. */
const PADDING_BLOCK = 'PB';

const HEADER =
  /^([ABCD])(\d{4})([A-Z0-9]{2})([A-Z0-9])([A-Z0-9])([A-Z0-9]{2})([A-Z0-9])(\d{2})([A-Z0-9]{2})/i;

/**
 * Reads the header of a key block.
 * @throws CryptoError badHeader
 */
export function readKeyBlockHeader(block: string): ReadHeader {
  const match = HEADER.exec(block);
  if (match === null)
    throw new CryptoError('badHeader', 'one of the first 16 characters is not of its field');
  const [
    ,
    version = '',
    length = '',
    usage = '',
    algorithm = '',
    mode = '',
    keyVersion = '',
    exportability = '',
    count = '',
  ] = match;
  if (version !== version.toUpperCase()) throw new CryptoError('badHeader', 'version is lower case');
  const { blocks, end } = readOptionalBlocks(block, Number(count));
  return {
    header: {
      version: version as KeyBlockVersion,
      usage,
      algorithm,
      mode,
      keyVersion,
      exportability,
      optionalBlocks: blocks,
    },
    declaredLength: Number(length),
    headerLength: end,
  };
}

function readOptionalBlocks(block: string, count: number): { blocks: OptionalBlock[]; end: number } {
  const blocks: OptionalBlock[] = [];
  let at = KEY_BLOCK_HEADER_LENGTH;
  for (let i = 0; i < count; i += 1) {
    const { id, dataFrom, end } = readOptionalBlockHead(block, at);
    const data = block.slice(dataFrom, end);
    if (data.length !== end - dataFrom || !/^[\x20-\x7e]*$/.test(data)) {
      throw new CryptoError('badHeader', `optional block ${i + 1} is cut short or not printable`);
    }
    if (id !== PADDING_BLOCK) blocks.push({ id, data });
    at = end;
  }
  return { blocks, end: at };
}

/** Identifier and length; `00` announces a longer length: how many characters it has, then the length (X9.143 §6.4). */
function readOptionalBlockHead(block: string, at: number): { id: string; dataFrom: number; end: number } {
  const short = /^([A-Z0-9]{2})([0-9A-F]{2})/i.exec(block.slice(at, at + 4));
  if (short === null) throw new CryptoError('badHeader', 'an optional block has no identifier and length');
  const [, id = '', shortLength = ''] = short;
  if (shortLength !== '00') return checkedHead(id, at, at + 4, Number.parseInt(shortLength, 16));
  const lengthOfLength = /^[0-9A-F]{2}$/i.exec(block.slice(at + 4, at + 6));
  const digits = lengthOfLength === null ? 0 : Number.parseInt(lengthOfLength[0], 16) * 2;
  const long = block.slice(at + 6, at + 6 + digits);
  if (digits === 0 || digits > 8 || long.length !== digits || !/^[0-9A-F]+$/i.test(long)) {
    throw new CryptoError('badHeader', 'an optional block has a malformed long length');
  }
  return checkedHead(id, at, at + 6 + digits, Number.parseInt(long, 16));
}

function checkedHead(id: string, from: number, dataFrom: number, length: number) {
  const end = from + length;
  if (end < dataFrom) throw new CryptoError('badHeader', 'an optional block is shorter than its own head');
  return { id, dataFrom, end };
}

const FIELDS: readonly (readonly [keyof KeyBlockHeader, RegExp])[] = [
  ['version', /^[ABCD]$/],
  ['usage', /^[A-Z0-9]{2}$/],
  ['algorithm', /^[A-Z0-9]$/],
  ['mode', /^[A-Z0-9]$/],
  ['keyVersion', /^[A-Z0-9]{2}$/],
  ['exportability', /^[A-Z0-9]$/],
];

/**
 * The text of a header for a whole block of `restLength` more characters; a padding block fills it up to a whole number of cipher blocks.
 * @param blockSize characters: 8 for A, B, C; 16 for D
 * @throws CryptoError badHeader, badLength
 */
export function writeKeyBlockHeader(header: KeyBlockHeader, restLength: number, blockSize: number): string {
  for (const [field, form] of FIELDS) {
    if (!form.test(String(header[field]))) throw new CryptoError('badHeader', `${field} is not of its form`);
  }
  const written = header.optionalBlocks.map(writeOptionalBlock);
  const padding = header.optionalBlocks.length === 0 ? '' : paddingBlock(written.join('').length, blockSize);
  const count = written.length + (padding === '' ? 0 : 1);
  if (count > 99) throw new CryptoError('badHeader', 'more than 99 optional blocks');
  const optional = written.join('') + padding;
  const total = KEY_BLOCK_HEADER_LENGTH + optional.length + restLength;
  if (total > KEY_BLOCK_MAX_LENGTH)
    throw new CryptoError('badLength', `${total} characters, at most ${KEY_BLOCK_MAX_LENGTH}`);
  const { version, usage, algorithm, mode, keyVersion, exportability } = header;
  const digits = (value: number, width: number) => String(value).padStart(width, '0');
  return `${version}${digits(total, 4)}${usage}${algorithm}${mode}${keyVersion}${exportability}${digits(count, 2)}00${optional}`;
}

function writeOptionalBlock({ id, data }: OptionalBlock): string {
  if (!/^[A-Z0-9]{2}$/.test(id) || id === PADDING_BLOCK || !/^[\x20-\x7e]*$/.test(data)) {
    throw new CryptoError('badHeader', 'an optional block is not of its form');
  }
  const short = data.length + 4;
  if (short <= 0xff) return `${id}${hexDigits(short, 2)}${data}`;
  const long = data.length + 10;
  if (long > 0xffff) throw new CryptoError('badHeader', 'an optional block is too long');
  return `${id}0002${hexDigits(long, 4)}${data}`;
}

function paddingBlock(length: number, blockSize: number): string {
  const missing = (blockSize - (length % blockSize)) % blockSize;
  if (missing === 0) return '';
  const size = missing < 4 ? missing + blockSize : missing;
  return `${PADDING_BLOCK}${hexDigits(size, 2)}${'0'.repeat(size - 4)}`;
}

function hexDigits(value: number, width: number): string {
  return value.toString(16).toUpperCase().padStart(width, '0');
}
