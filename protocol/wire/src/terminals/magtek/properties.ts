import { encodeTlv, type TlvNode, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { parameter, readParameters } from './message.js';

/**
 * The properties that the driver reads or sets, by their object identifiers: type (1 settings, 2 information), then the
 * numbers of the tree.
 */
export const PROPERTIES = {
  /** Seconds that the device waits for the issuer's answer; 0: for ever, FF: as long as for a card. */
  arpcTimeout: [1, 1, 1, 1, 1, 5],
  /** How often it then sends its request again before it goes on alone. */
  arpcRetries: [1, 1, 1, 1, 1, 6],
  /** 1: every tag that is there is sent, those of the list below enciphered, the others in clear. */
  reportAllTags: [1, 1, 1, 1, 5, 1],
  encryptedTags: [1, 1, 1, 1, 5, 2],
  /** Tags that are sent in clear of a magstripe. */
  magstripeClearTags: [1, 1, 1, 1, 5, 3],
  maskCharacter: [1, 1, 2, 2, 1, 2],
  /** Digits of the PAN that stay open in masked tracks. */
  panLeading: [1, 1, 2, 2, 1, 3],
  panTrailing: [1, 1, 2, 2, 1, 4],
  /** 1: a masked digit is bent so that the check digit fits. */
  maskCheckDigit: [1, 1, 2, 2, 1, 5],
  /** 1: a card number that is keyed in must have the right check digit. */
  checkKeyedIn: [1, 1, 2, 2, 1, 6],
  /** Slot (two bytes) and transformation of the DUKPT key for PINs, and for account data. */
  pinKeyMapping: [1, 1, 2, 4, 1, 1],
  accountKeyMapping: [1, 1, 2, 4, 1, 2],
  /** The same for PINs under AES; slot 0000: none. */
  pinAesKeyMapping: [1, 1, 2, 4, 1, 7],
  /** 1: the device falls back to the magstripe by itself, as the payment brands rule. */
  deviceFallback: [1, 2, 1, 1, 1, 1],
  /** What the device requests when a card number is keyed in. */
  manualEntryPages: [1, 2, 1, 1, 5, 1],
  /** FF: the device reports once that it was reset. */
  resetNotification: [1, 2, 7, 1, 1, 1],
  /** Minutes between the warning and the reset that PCI demands every day. */
  resetWarning: [1, 2, 7, 1, 1, 3],
  modelName: [2, 1, 2, 2, 2, 1],
  firmwareVersion: [2, 1, 2, 2, 2, 2],
  /** Seven hex digits in four bytes, the last half byte zero. */
  serialNumber: [2, 2, 1, 1, 1, 1],
  /** 32 bits, one for each DUKPT slot from 2000 on. */
  transactionKeys: [2, 3, 1, 1, 1, 2],
  /** 1: the device found itself opened. */
  tampered: [2, 3, 1, 1, 2, 3],
  /** 1 offline, 2 online. */
  operationalStatus: [2, 3, 1, 2, 1, 1],
  /** Percent. */
  batteryCharge: [2, 3, 1, 2, 1, 4],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** Name of a property. */
export type PropertyName = keyof typeof PROPERTIES;

/** Values of `manualEntryPages`: the number alone, or what else. */
export const MANUAL_ENTRY_PAGES = {
  expiryAndCode: 0x00,
  expiry: 0x01,
  code: 0x02,
  numberAlone: 0x03,
} as const;

/** Values of `operationalStatus`. */
export const OPERATIONAL = { offline: 0x01, online: 0x02 } as const;

/** Slots of DUKPT keys. */
export const FIRST_KEY_SLOT = 0x2000;
export const KEY_SLOTS = 32;

/** Tags of the commands' parameters. */
const PARAMETERS = { base: '81', type: '85', prefix: '87', remainder: '89' } as const;
/** The maker's object identifier (1.3.6.1.4.1 and its number), which a tree begins with. */
const BASE = Buffer.from('2B06010401F609', 'hex');
/** The last number of an identifier is a tag of the private class; in a tree those before it are its templates. */
const LEAF_CLASS = 0xc0;
const BRANCH_CLASS = 0xe0;
const NUMBER_BITS = 0x1f;
const MAX_NUMBER = 0x1e;

const BY_PATH: ReadonlyMap<string, PropertyName> = new Map(
  Object.entries(PROPERTIES).map(([name, path]) => [path.join('.'), name as PropertyName]),
);

function tagOf(kind: number, number: number): string {
  return (kind | number).toString(16).toUpperCase();
}

/** A property with its value. */
export type PropertyValue = readonly [name: PropertyName, value: Uint8Array];

/** Parameters of GET PROPERTY (no value) or SET PROPERTY, and of their answers. */
export function encodeProperty(name: PropertyName, value: Uint8Array = Buffer.alloc(0)): Buffer {
  return encodePropertyList([[name, value]]);
}

/** The same of properties that differ in their last number alone. */
export function encodePropertyList(values: readonly PropertyValue[]): Buffer {
  const path = firstPath(values);
  const leaves = values.map(([name, value]) => tlv(tagOf(LEAF_CLASS, PROPERTIES[name].at(-1) ?? 0), value));
  return encodeTlv([
    tlv(PARAMETERS.type, Buffer.from(path.slice(0, 1))),
    tlv(PARAMETERS.prefix, Buffer.from(path.slice(1, -1))),
    tlv(PARAMETERS.remainder, encodeTlv(leaves)),
  ]);
}

function firstPath([first]: readonly PropertyValue[]): readonly number[] {
  if (!first) throw new TerminalFormatError('property', 'must be one at least');
  return PROPERTIES[first[0]];
}

/** A property and its value; `name` is undefined for one that is not used here. */
interface DecodedProperty {
  readonly name: PropertyName | undefined;
  readonly value: Buffer;
}

/** Properties of one request. `prefix`: they differ in the last number alone; `tree`: in any number behind the type. */
interface DecodedProperties {
  readonly form: 'prefix' | 'tree';
  readonly properties: readonly DecodedProperty[];
}

/**
 * Reads the parameters of GET PROPERTY or SET PROPERTY or of their answers.
 * @throws TerminalFormatError
 */
export function decodeProperties(parameters: Uint8Array): DecodedProperties {
  const nodes = readParameters(parameters);
  const [type, prefix, remainder] = [
    parameter(nodes, PARAMETERS.type),
    parameter(nodes, PARAMETERS.prefix),
    parameter(nodes, PARAMETERS.remainder),
  ];
  if (type?.length !== 1 || !remainder)
    throw new TerminalFormatError('property', 'must have type and remainder');
  const properties = leavesOf(readParameters(remainder), [...type, ...(prefix ?? [])]);
  if (properties.length === 0) throw new TerminalFormatError('property remainder', 'must hold a number');
  return { form: prefix ? 'prefix' : 'tree', properties };
}

/** The same, of the one property that an answer holds. @throws TerminalFormatError */
export function decodeProperty(parameters: Uint8Array): DecodedProperty {
  const [property, more] = decodeProperties(parameters).properties;
  if (!property || more) throw new TerminalFormatError('property remainder', 'must hold one number');
  return property;
}

function leavesOf(nodes: readonly TlvNode[], path: readonly number[]): DecodedProperty[] {
  return nodes.flatMap((node) => {
    const tag = Number.parseInt(node.tag, 16);
    if (node.tag.length !== 2 || tag < LEAF_CLASS || (tag & NUMBER_BITS) > MAX_NUMBER)
      throw new TerminalFormatError('property remainder', 'must hold numbers of one byte from C0 on');
    const numbers = [...path, tag & NUMBER_BITS];
    if ('children' in node) return leavesOf(node.children, numbers);
    return [{ name: BY_PATH.get(numbers.join('.')), value: Buffer.from(node.value) }];
  });
}

/** The same as a tree, of properties of one type. @throws TerminalFormatError without any */
export function encodePropertyTree(values: readonly PropertyValue[]): Buffer {
  const paths = values.map(([name, value]) => ({ path: PROPERTIES[name].slice(1), value }));
  return encodeTlv([
    tlv(PARAMETERS.base, BASE),
    tlv(PARAMETERS.type, Buffer.from(firstPath(values).slice(0, 1))),
    tlv(PARAMETERS.remainder, encodeTlv(treeOf(paths))),
  ]);
}

interface Leaf {
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

/** Leaves whose paths begin with the same number share a template. */
function treeOf(leaves: readonly Leaf[]): TlvNode[] {
  const numbers = [...new Set(leaves.map(({ path: [number = 0] }) => number))];
  return numbers.flatMap((number) => {
    const under = leaves.filter(({ path }) => path[0] === number);
    const deeper = under.filter(({ path }) => path.length > 1);
    const own = under.filter(({ path }) => path.length === 1);
    const branch = treeOf(deeper.map(({ path, value }) => ({ path: path.slice(1), value })));
    return [
      ...own.map(({ value }) => tlv(tagOf(LEAF_CLASS, number), value)),
      ...(deeper.length > 0 ? [tlv(tagOf(BRANCH_CLASS, number), branch)] : []),
    ];
  });
}
