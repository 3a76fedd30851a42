import { toHex } from '@tillbridge/wire/bytes.js';
import { type DescribedNode, describeTlvPartly, describeValue } from '@tillbridge/wire/emv/describe.js';
import type { SecureObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';

const HIDDEN_VALUE = '***';

/** BER-TLV as a tree, as far as it can be read; values of these tags are hidden in addition to those that always are. */
export function objectTree(bytes: Uint8Array, hidden: ReadonlySet<string> = new Set()): DescribedNode[] {
  return describeTlvPartly(bytes).nodes.map((node) => withHidden(node, hidden));
}

function withHidden(node: DescribedNode, hidden: ReadonlySet<string>): DescribedNode {
  if (hidden.has(node.tag)) return { ...node, value: HIDDEN_VALUE, meaning: ['Not shown'], children: [] };
  return { ...node, children: node.children.map((child) => withHidden(child, hidden)) };
}

/** Objects that say themselves whether they are masked or enciphered. */
export function secureObjectTree(
  objects: readonly SecureObject[],
  hidden: ReadonlySet<string>,
): DescribedNode[] {
  return objects.map(({ tag, disclosure, value }) => {
    const node = describeValue(tag, value);
    if (disclosure === 'plain') return withHidden(node, hidden);
    const meaning = [disclosure === 'masked' ? 'Masked by the device' : 'Enciphered by the device'];
    return { ...node, value: HIDDEN_VALUE, meaning, children: [] };
  });
}

/** A parameter with a name in place of a tag. */
export function namedValue(tag: string, value: Uint8Array | string, shown = toText(value)): DescribedNode {
  return { tag, name: '', length: value.length, value: shown, meaning: [], children: [] };
}

function toText(value: Uint8Array | string): string {
  return typeof value === 'string' ? value : toHex(value);
}
