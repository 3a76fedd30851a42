import { fromHex, toHex } from '../bytes.js';
import { type DescribedNode, describeTlvPartly, describeValue, formatDescription } from '../emv/describe.js';
import { endOfTag, TlvError } from '../emv/tlv.js';
import {
  brokenDialectOf,
  type DescribedMessage,
  describeMessage,
  dialectsOf,
  formatMessage,
} from '../iso8583/describe/describe.js';
import type { DialectName } from '../iso8583/dialects/dialect-names.js';
import { DIALECTS, type Dialect } from '../iso8583/dialects/dialects.js';

/** Longest message that is decoded, in bytes. */
const MAX_BYTES = 64 * 1024;
/** Bytes of the length that stands in front of a message on a line. */
const HEADER_BYTES = 2;

/** Options of `decode`. */
export interface DecodeOptions {
  readonly json?: boolean;
  /** The digits are the value of this tag, without tag and length. */
  readonly tag?: string;
  /** The digits are an ISO 8583 message of this dialect. */
  readonly dialect?: DialectName;
}

/** What was decoded, and why not all of it. */
interface Decoded {
  readonly text: string;
  readonly problem?: string;
}

/** Makes the error of a misuse. The text never holds what was given: it may be card data. */
type Refuse = (problem: string) => Error;

/**
 * EMV data or an ISO 8583 message in hex as text, or as JSON; sensitive values are masked. Blanks, line ends, colons, hyphens and a leading `0x`
 * are skipped. What a shipped dialect of ISO 8583 reads whole, with or without a length of two bytes in front, is such a message, and so is what
 * begins as one and is no BER-TLV; everything else is BER-TLV. Of a message that is cut short or broken everything before the mistake is given. JSON is a list of `DescribedNode`s, or a
 * `DescribedMessage`.
 * @throws what `refuse` makes
 */
export function decodeHex(hex: string, { json, tag, dialect }: DecodeOptions, refuse: Refuse): Decoded {
  const bytes = bytesOf(hex, refuse);
  if (bytes.length === 0) throw refuse('there is nothing to decode: no hex digits');
  if (tag !== undefined && dialect !== undefined) throw refuse('give --tag or --dialect, not both');
  const described = tag === undefined ? messageOf(bytes, dialect) : undefined;
  if (described !== undefined) return shownMessage(described, json);
  const { nodes, problem } = tag === undefined ? dataObjects(bytes) : valueOfTag(tag, bytes, refuse);
  const broken = tag === undefined && problem !== undefined ? brokenDialectOf(bytes) : undefined;
  if (broken) return shownMessage(describeMessage(broken, bytes), json);
  return {
    text: json ? JSON.stringify(nodes, null, 2) : formatDescription(nodes).join('\n'),
    ...(problem !== undefined && { problem }),
  };
}

function shownMessage({ problem, ...message }: DescribedMessage, json: boolean | undefined): Decoded {
  return {
    text: json ? JSON.stringify(message, null, 2) : formatMessage(message).join('\n'),
    ...(problem !== undefined && { problem: `no message of ${message.dialect} from here on: ${problem}` }),
  };
}

/** The bytes as an ISO 8583 message of this dialect, or of the first one that reads all of them. */
function messageOf(bytes: Buffer, dialect: DialectName | undefined): DescribedMessage | undefined {
  const inside = withoutHeader(bytes);
  const forms = inside === undefined ? [bytes] : [inside, bytes];
  if (dialect !== undefined) {
    const whole = forms.find((form) => describeMessage(DIALECTS[dialect], form).problem === undefined);
    return describeMessage(DIALECTS[dialect], whole ?? forms[0] ?? bytes);
  }
  for (const form of forms) {
    const [found]: readonly (Dialect | undefined)[] = dialectsOf(form);
    if (found !== undefined) return describeMessage(found, form);
  }
  return undefined;
}

function withoutHeader(bytes: Buffer): Buffer | undefined {
  const isFramed = bytes.length > HEADER_BYTES && bytes.readUInt16BE(0) === bytes.length - HEADER_BYTES;
  return isFramed ? bytes.subarray(HEADER_BYTES) : undefined;
}

/** The decoded objects, and what is wrong with the input. */
interface Shown {
  readonly nodes: readonly DescribedNode[];
  readonly problem?: string | undefined;
}

function dataObjects(bytes: Buffer): Shown {
  const { nodes, error } = describeTlvPartly(bytes);
  return { nodes, problem: error && `no BER-TLV from here on: ${error.message}` };
}

function valueOfTag(written: string, value: Buffer, refuse: Refuse): Shown {
  const node = describeValue(tagOf(written, refuse), value);
  return { nodes: [node], problem: node.fault && `no value of --tag ${node.tag}: ${node.fault}` };
}

function tagOf(written: string, refuse: Refuse): string {
  const tag = bytesOf(written, refuse);
  try {
    if (endOfTag(tag, 0) === tag.length) return toHex(tag);
  } catch (error) {
    if (!(error instanceof TlvError)) throw error;
    throw refuse(`--tag ${written.slice(0, 4)} is no whole tag`);
  }
  throw refuse('--tag is more than one tag');
}

/** Digits and what people put between them. */
const SKIPPED = /[\s:-]/g;

function bytesOf(text: string, refuse: Refuse): Buffer {
  const digits = text.replace(/^\s*0x/i, '').replace(SKIPPED, '');
  if (digits.length > MAX_BYTES * 2) throw refuse(`longer than ${MAX_BYTES} bytes`);
  const wrong = digits.search(/[^0-9A-Fa-f]/);
  // The character may stand in card data that was pasted as text: the message names its place, never the character.
  if (wrong >= 0) throw refuse(`not hex: character ${wrong + 1} is no digit 0-9 or A-F`);
  if (digits.length % 2 !== 0) throw refuse(`not hex: ${digits.length} digits, a byte has two: is one lost?`);
  return fromHex(digits);
}
