import { toHex } from '@tillbridge/wire/bytes.js';
import { cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { decodeTlv, encodeTlv, findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { CardFacts } from '../../../drivers/core/driver.js';
import type { AnswerEmv } from './answer.js';

/** EMV data of a receipt out of what the terminal gave; bytes that are no TLV give only what the facts have. */
export function emvSummary(iccData: Uint8Array, facts?: CardFacts): AnswerEmv {
  const nodes = readNodes(iccData);
  const hex = (tag: string) => {
    const value = findTlv(nodes, tag);
    return value && toHex(value);
  };
  const cid = findTlv(nodes, '9F27')?.[0];
  const arc = findTlv(nodes, '8A');
  const summary = {
    aid: facts?.aid ?? hex('84') ?? hex('9F06'),
    label: facts?.label,
    tvr: hex('95'),
    tsi: hex('9B'),
    ac: hex('9F26'),
    acType: cid === undefined ? undefined : cryptogramType(cid),
    atc: hex('9F36'),
    cvm: hex('9F34'),
    arc: arc && Buffer.from(arc).toString('latin1'),
  };
  return Object.fromEntries(Object.entries(summary).filter(([, value]) => value !== undefined));
}

/**
 * The first cryptogram's data with everything newer from the second: what an offline record carries.
 * Tags keep the first data's order; the final ones that are new follow.
 */
export function mergeIccData(first: Uint8Array, final: Uint8Array): Uint8Array {
  const newer = new Map(readNodes(final).map((node) => [node.tag, node]));
  const merged = readNodes(first).map((node) => newer.get(node.tag) ?? node);
  const known = new Set(merged.map((node) => node.tag));
  return encodeTlv([...merged, ...[...newer.values()].filter((node) => !known.has(node.tag))]);
}

function readNodes(iccData: Uint8Array): readonly TlvNode[] {
  try {
    return decodeTlv(iccData);
  } catch {
    // A terminal's own formatting fault must not turn a decided sale into an undecided one.
    return [];
  }
}
