import { readFileSync } from 'node:fs';
import { fromHex } from '@tillbridge/protocol/bytes.js';
import {
  type DescribedPart,
  describeTlvPartly,
  describeValue,
  formatDescription,
} from '@tillbridge/protocol/emv/describe.js';
import { endOfTag, TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { CommandError, EXIT } from './exit-code.js';

/** Longest message that is decoded, in bytes. */
const MAX_BYTES = 64 * 1024;
const STANDARD_INPUT = '-';

/** What `decode` is told beside the digits. */
export interface DecodeOptions {
  readonly json?: boolean;
  /** A file with the digits instead; `-` is standard input. */
  readonly file?: string;
  /** The digits are the value of this tag, without tag and length. */
  readonly tag?: string;
}

/** What was decoded, and why not all of it. */
export interface Decoded {
  readonly text: string;
  readonly problem?: string;
}

/**
 * EMV data in hex as text, or as JSON; sensitive values are masked. Blanks, line ends, colons, hyphens and a leading `0x` are skipped. Of a message that
 * is cut short or broken everything before the mistake is given.
 * @throws CommandError naming what is wrong with the input
 */
export function decodeHex(hex: readonly string[], options: DecodeOptions): Decoded {
  const part = described(digitsOf(hex, options.file), options.tag);
  const { nodes, error } = part;
  return {
    text: options.json
      ? JSON.stringify(error ? { nodes, error: error.message } : nodes, null, 2)
      : formatDescription(nodes).join('\n'),
    ...(error && { problem: `no BER-TLV from here on: ${error.message}` }),
  };
}

function described(bytes: Buffer, tag: string | undefined): DescribedPart {
  if (tag === undefined) return describeTlvPartly(bytes);
  try {
    const known = bytesOf(tag);
    if (endOfTag(known, 0) !== known.length) throw new CommandError(EXIT.usage, '--tag is more than one tag');
  } catch (error) {
    if (error instanceof TlvError)
      throw new CommandError(EXIT.usage, `--tag ${tag.slice(0, 4)} is no whole tag`);
    throw error;
  }
  return { nodes: [describeValue(tag, bytes)] };
}

function digitsOf(hex: readonly string[], file: string | undefined): Buffer {
  if (hex.length > 0 && file !== undefined)
    throw new CommandError(EXIT.usage, 'give hex digits or --file, not both');
  const isArgument = hex.length > 0 && hex[0] !== STANDARD_INPUT;
  const bytes = bytesOf(isArgument ? hex.join('') : readText(file ?? STANDARD_INPUT));
  if (bytes.length === 0) throw new CommandError(EXIT.usage, 'there is nothing to decode: no hex digits');
  return bytes;
}

function readText(file: string): string {
  if (file === STANDARD_INPUT && process.stdin.isTTY)
    throw new CommandError(EXIT.usage, 'give hex digits, --file FILE, or pipe them in');
  try {
    return readFileSync(file === STANDARD_INPUT ? 0 : file, 'latin1');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new CommandError(EXIT.usage, `${file} cannot be read (${code})`);
  }
}

/** Digits and what people put between them. */
const SKIPPED = /[\s:-]/g;

function bytesOf(text: string): Buffer {
  const digits = text.replace(/^\s*0x/i, '').replace(SKIPPED, '');
  if (digits.length > MAX_BYTES * 2) throw new CommandError(EXIT.usage, `longer than ${MAX_BYTES} bytes`);
  const wrong = digits.search(/[^0-9A-Fa-f]/);
  // The character may stand in card data that was pasted as text: its place is told, not itself.
  if (wrong >= 0)
    throw new CommandError(EXIT.usage, `not hex: character ${wrong + 1} is no digit 0-9 or A-F`);
  if (digits.length % 2 !== 0)
    throw new CommandError(EXIT.usage, `not hex: ${digits.length} digits, a byte has two: is one lost?`);
  return fromHex(digits);
}
