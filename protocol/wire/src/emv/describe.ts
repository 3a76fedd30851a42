import { toHex } from '../bytes.js';
import { bytesHoldPan } from '../mask/holds-pan.js';
import { maskPan } from '../mask/mask.js';
import { lengthFault } from './tag-lengths.js';
import { tagInfo } from './tags.js';
import { decodeTlv, decodeTlvPartly, type TlvError, type TlvNode } from './tlv.js';
import { readValue } from './value-readers.js';

/** One data object as a person reads it; sensitive values are masked already. */
export interface DescribedNode {
  readonly tag: string;
  /** `Unknown` where the dictionary has no entry. */
  readonly name: string;
  /** Bytes of the value; of a template, the number of its children. */
  readonly length: number;
  /** Hex of the value, or its masked form; absent for templates. */
  readonly value?: string;
  /** Why the value cannot be one of this tag: its length differs from EMV's. `meaning` is then unreliable. */
  readonly fault?: string;
  /** The meaning of the value, line by line. */
  readonly meaning: readonly string[];
  readonly children: readonly DescribedNode[];
}

/**
 * A TLV message with names, meanings and decoded bits, for people. Sensitive values are masked: of a PAN the first six
 * and last four digits stay, of track 2 also the expiry, of everything else nothing.
 * @throws TlvError
 */
export function describeTlv(bytes: Uint8Array): DescribedNode[] {
  return decodeTlv(bytes).map(describeNode);
}

/** A message as far as it can be read, and why no further. */
interface DescribedPart {
  readonly nodes: DescribedNode[];
  readonly error?: TlvError;
}

/** As {@link describeTlv}, for messages that are cut short or broken: all that stands before the mistake. */
export function describeTlvPartly(bytes: Uint8Array): DescribedPart {
  const { nodes, error } = decodeTlvPartly(bytes);
  return { nodes: nodes.map(describeNode), ...(error && { error }) };
}

/** The value of one tag that came without tag and length, such as a TVR on a receipt. */
export function describeValue(tag: string, value: Uint8Array): DescribedNode {
  return describeNode({ tag: tag.toUpperCase(), value });
}

/** The description as indented lines. */
export function formatDescription(nodes: readonly DescribedNode[], indent: string = ''): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.tag} ${node.name}${node.value === undefined ? '' : ` [${node.length}] ${node.value}`}`,
    ...(node.fault === undefined ? [] : [`${indent}    ! ${node.fault}`]),
    ...node.meaning.map((line) => `${indent}    ${line}`),
    ...formatDescription(node.children, `${indent}  `),
  ]);
}

function describeNode(node: TlvNode): DescribedNode {
  const name = tagInfo(node.tag)?.name ?? 'Unknown';
  if (!('value' in node)) {
    const children = node.children.map(describeNode);
    return { tag: node.tag, name, length: children.length, meaning: [], children };
  }
  const length = node.value.length;
  const fault = lengthFault(node.tag, length);
  const { value, meaning } = shown(node.tag, node.value);
  return { tag: node.tag, name, length, value, ...(fault !== undefined && { fault }), meaning, children: [] };
}

function shown(tag: string, value: Uint8Array): Pick<DescribedNode, 'meaning'> & { readonly value: string } {
  const info = tagInfo(tag);
  if (info?.sensitive) return { value: maskedValue(tag, value), meaning: ['Sensitive: masked'] };
  // Proprietary tags of terminals carry card data under any name.
  if (info === undefined && bytesHoldPan(value)) {
    return { value: '*'.repeat(MAX_STARS), meaning: ['Unknown tag that may hold a card number: masked'] };
  }
  return { value: toHex(value), meaning: readValue(tag, value) };
}

/** Tags whose value begins with the PAN as digits. */
const PAN_TAG = '5A';
const TRACK2_TAGS: ReadonlySet<string> = new Set(['57', '9F6B']);

function maskedValue(tag: string, value: Uint8Array): string {
  const hex = toHex(value);
  if (tag === PAN_TAG) return maskedPan(hex.replace(/F+$/, ''));
  if (TRACK2_TAGS.has(tag)) return maskTrack2(hex);
  return '*'.repeat(Math.min(hex.length, MAX_STARS));
}

/** Stars that stand for a value of which nothing may be shown. */
const MAX_STARS = 16;

function maskedPan(digits: string): string {
  return /^\d+$/.test(digits) ? maskPan(digits) : '*'.repeat(digits.length);
}

function maskTrack2(hex: string): string {
  const match = /^(\d{8,19})D(\d{4})?/.exec(hex);
  if (match === null) return '*'.repeat(Math.min(hex.length, MAX_STARS));
  const [, pan = '', expiry = ''] = match;
  const shown = `${maskedPan(pan)}D${expiry}`;
  return shown.padEnd(hex.length, '*');
}
