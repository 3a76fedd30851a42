import { isSensitiveTag } from '@tillbridge/protocol/emv/tags.js';
import { decodeTlv, encodeTlv, TlvError, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import { MAX_POS_FIELD_BYTES } from './limits.js';
import { type Failed, failed } from './result.js';

/** What the agent may know of the card: application, payment account reference. */
export const CARD_TAGS = ['4F', '84', '50', '9F12', '9F24'] as const;

/** What comes with the first cryptogram, for `pos.iccDataRequest`. Never 5A, 57 or anything with the PAN. */
export const REQUEST_TAGS = [
  '82',
  '84',
  '95',
  '9A',
  '9B',
  '9C',
  '5F2A',
  '5F34',
  '9F02',
  '9F03',
  '9F06',
  '9F07',
  '9F09',
  '9F10',
  '9F1A',
  '9F1E',
  '9F21',
  '9F24',
  '9F26',
  '9F27',
  '9F33',
  '9F34',
  '9F35',
  '9F36',
  '9F37',
  '9F41',
  '9F53',
  '9F6C',
  '8A',
  '50',
] as const;

/** What comes with the second cryptogram. */
export const FINAL_TAGS = ['9F26', '9F27', '9F36', '9F10', '9F37', '95', '9B', '8A', '9F34', '9F5B'] as const;

/** Tags of the issuer's answer that a card takes: authentication data and scripts (EMV Book 3 §10.9, §10.10). */
export const ISSUER_TAGS: ReadonlySet<string> = new Set(['91', '71', '72']);

/** Tags one behind the other, as a terminal is asked for them. */
export function tagList(tags: readonly string[]): Buffer {
  return Buffer.from(tags.join(''), 'hex');
}

/** Reads BER-TLV from the device or the gateway; broken bytes are a failure. */
export function readTlv(where: string, bytes: Uint8Array): readonly TlvNode[] | Failed {
  try {
    return decodeTlv(bytes);
  } catch (error) {
    if (error instanceof TlvError)
      return failed('protocol-error', `${where} is no BER-TLV: ${error.message}`);
    throw error;
  }
}

/** EMV data that may leave the terminal: without any tag that holds card data, and within one field (spec 2.3). */
export function cleanIccData(nodes: readonly TlvNode[]): Buffer | Failed {
  const clean = encodeTlv(nodes.filter(({ tag }) => !isSensitiveTag(tag)));
  if (clean.length <= MAX_POS_FIELD_BYTES) return clean;
  return failed('data-too-long', `EMV data of ${clean.length} bytes, at most ${MAX_POS_FIELD_BYTES}`);
}

/** True for a list of nodes, false for a failure. */
export function isTlv(value: readonly TlvNode[] | Failed): value is readonly TlvNode[] {
  return Array.isArray(value);
}
