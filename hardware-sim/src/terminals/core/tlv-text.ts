import { toHex } from '@tillbridge/wire/bytes.js';
import { isSensitiveTag } from '@tillbridge/wire/emv/tags.js';
import { decodeTlv, TlvError, type TlvNode } from '@tillbridge/wire/emv/tlv.js';

/** BER-TLV in readable form, values of sensitive tags hidden; the length alone of other bytes. */
export function tlvText(value: Uint8Array, hidden: ReadonlySet<string> = new Set()): string {
  try {
    return decodeTlv(value)
      .map((node) => nodeText(node, hidden))
      .join(' ');
  } catch (error) {
    if (error instanceof TlvError) return `${value.length} bytes`;
    throw error;
  }
}

function nodeText(node: TlvNode, hidden: ReadonlySet<string>): string {
  if (!('value' in node))
    return `${node.tag}{${node.children.map((child) => nodeText(child, hidden)).join(' ')}}`;
  const secret = isSensitiveTag(node.tag) || hidden.has(node.tag);
  return `${node.tag}=${secret ? '***' : toHex(node.value)}`;
}
