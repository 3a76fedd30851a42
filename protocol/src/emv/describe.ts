import { toHex } from '../bytes.js';
import { tagInfo } from './tags.js';
import { decodeTlv, type TlvNode } from './tlv.js';
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
  /** What the value says, line by line. */
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

/** The description as indented lines. */
export function formatDescription(nodes: readonly DescribedNode[], indent: string = ''): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.tag} ${node.name}${node.value === undefined ? '' : ` [${node.length}] ${node.value}`}`,
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
  const shown = tagInfo(node.tag)?.sensitive
    ? { value: maskedValue(node.tag, node.value), meaning: ['Sensitive: masked'] }
    : { value: toHex(node.value), meaning: readValue(node.tag, node.value) };
  return { tag: node.tag, name, length, ...shown, children: [] };
}

/** Tags whose value begins with the PAN as digits. */
const PAN_TAG = '5A';
const TRACK2_TAGS: ReadonlySet<string> = new Set(['57', '9F6B']);

function maskedValue(tag: string, value: Uint8Array): string {
  const hex = toHex(value);
  if (tag === PAN_TAG) return maskPan(hex.replace(/F+$/, ''));
  if (TRACK2_TAGS.has(tag)) return maskTrack2(hex);
  return '*'.repeat(Math.min(hex.length, MAX_STARS));
}

/** Stars that stand for a value of which nothing may be shown. */
const MAX_STARS = 16;
/** A PAN shorter than this shows nothing: six and four digits would be nearly all of it. */
const SHORTEST_MASKED_PAN = 13;

function maskPan(digits: string): string {
  if (!/^\d+$/.test(digits) || digits.length < SHORTEST_MASKED_PAN) return '*'.repeat(digits.length);
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

function maskTrack2(hex: string): string {
  const match = /^(\d{8,19})D(\d{4})?/.exec(hex);
  if (match === null) return '*'.repeat(Math.min(hex.length, MAX_STARS));
  const [, pan = '', expiry = ''] = match;
  const shown = `${maskPan(pan)}D${expiry}`;
  return shown.padEnd(hex.length, '*');
}
