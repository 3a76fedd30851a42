import { readFileSync } from 'node:fs';
import { fromHex, toHex } from '@tillbridge/protocol/bytes.js';
import {
  type DescribedNode,
  describeTlvPartly,
  describeValue,
  formatDescription,
} from '@tillbridge/protocol/emv/describe.js';
import { endOfTag, TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { systemCode } from '@tillbridge/protocol/errors/system-code.js';
import { CommandError, EXIT } from './exit-code.js';

/** Longest message that is decoded, in bytes. */
const MAX_BYTES = 64 * 1024;
const STANDARD_INPUT = '-';

/** Options of `decode`. */
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
 * is cut short or broken everything before the mistake is given. JSON is always the list of `DescribedNode`s.
 * @throws CommandError naming what is wrong with the input
 */
export function decodeHex(hex: readonly string[], options: DecodeOptions): Decoded {
  const bytes = digitsOf(hex, options.file);
  const { nodes, problem } = options.tag === undefined ? message(bytes) : valueOfTag(options.tag, bytes);
  return {
    text: options.json ? JSON.stringify(nodes, null, 2) : formatDescription(nodes).join('\n'),
    ...(problem !== undefined && { problem }),
  };
}

/** The decoded objects, and what is wrong with the input. */
interface Shown {
  readonly nodes: readonly DescribedNode[];
  readonly problem?: string | undefined;
}

function message(bytes: Buffer): Shown {
  const { nodes, error } = describeTlvPartly(bytes);
  return { nodes, problem: error && `no BER-TLV from here on: ${error.message}` };
}

function valueOfTag(written: string, value: Buffer): Shown {
  const node = describeValue(tagOf(written), value);
  return { nodes: [node], problem: node.fault && `no value of --tag ${node.tag}: ${node.fault}` };
}

function tagOf(written: string): string {
  const tag = bytesOf(written);
  try {
    if (endOfTag(tag, 0) === tag.length) return toHex(tag);
  } catch (error) {
    if (!(error instanceof TlvError)) throw error;
    throw new CommandError(EXIT.usage, `--tag ${written.slice(0, 4)} is no whole tag`);
  }
  throw new CommandError(EXIT.usage, '--tag is more than one tag');
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
    throw new CommandError(EXIT.usage, `${file} cannot be read (${systemCode(error)})`);
  }
}

/** Digits and what people put between them. */
const SKIPPED = /[\s:-]/g;

function bytesOf(text: string): Buffer {
  const digits = text.replace(/^\s*0x/i, '').replace(SKIPPED, '');
  if (digits.length > MAX_BYTES * 2) throw new CommandError(EXIT.usage, `longer than ${MAX_BYTES} bytes`);
  const wrong = digits.search(/[^0-9A-Fa-f]/);
  // The character may stand in card data that was pasted as text: the message names its place, never the character.
  if (wrong >= 0)
    throw new CommandError(EXIT.usage, `not hex: character ${wrong + 1} is no digit 0-9 or A-F`);
  if (digits.length % 2 !== 0)
    throw new CommandError(EXIT.usage, `not hex: ${digits.length} digits, a byte has two: is one lost?`);
  return fromHex(digits);
}
