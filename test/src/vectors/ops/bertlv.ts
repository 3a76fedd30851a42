import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { buildDol, dolLength, parseDol } from '@tillbridge/wire/emv/dol.js';
import { decodeTlv, encodeTlv, type TlvNode, tagHeader, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { TopicOps } from './inputs.js';

type JsonNode =
  | { readonly tag: string; readonly value: string }
  | { readonly tag: string; readonly children: readonly JsonNode[] };

function toJson(nodes: readonly TlvNode[]): JsonNode[] {
  return nodes.map((node) =>
    'value' in node
      ? { tag: node.tag, value: toHex(node.value) }
      : { tag: node.tag, children: toJson(node.children) },
  );
}

function fromJson(nodes: readonly JsonNode[]): TlvNode[] {
  return nodes.map((node) => tlv(node.tag, 'value' in node ? fromHex(node.value) : fromJson(node.children)));
}

/** BER-TLV and data object lists. */
export const BERTLV_OPS: TopicOps = {
  decode: (inputs) => ({ tlv: toJson(decodeTlv(inputs.hex('hex'), { padding: 'strict' })) }),
  encode: (inputs) => ({ hex: toHex(encodeTlv(fromJson(inputs.list<JsonNode>('tlv')))) }),
  tagHeader: (inputs) => ({ ...tagHeader(inputs.hex('hex')) }),
  parseDol: (inputs) => {
    const entries = parseDol(inputs.hex('hex'));
    return { entries, totalLength: dolLength(entries) };
  },
  buildDol: (inputs) => {
    const values = inputs.list<{ readonly tag: string; readonly value: string }>('values');
    const byTag = new Map(values.map(({ tag, value }) => [tag, fromHex(value)]));
    return { hex: toHex(buildDol(inputs.hex('hex'), (tag) => byTag.get(tag))) };
  },
};
