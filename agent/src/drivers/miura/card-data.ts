import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import {
  type MaskedTrack,
  readMaskedPan,
  readMaskedTrack2,
} from '@tillbridge/protocol/terminals/miura/masked-track.js';
import { TAGS } from '@tillbridge/protocol/terminals/miura/tags.js';
import { cardFacts } from '../core/card-facts.js';
import type { CardData, Enciphered, EntryMode } from '../core/driver.js';
import { cleanIccData, REQUEST_TAGS } from '../core/emv-data.js';
import { MAX_POS_FIELD_BYTES } from '../core/limits.js';
import { type Failed, failed } from '../core/result.js';
import { textOf } from './replies.js';

const WANTED: ReadonlySet<string> = new Set(REQUEST_TAGS);

/** The masked account of a chip, a tap or a stripe. */
export function maskedAccount(objects: readonly TlvNode[]): MaskedTrack {
  const track = textOf(objects, TAGS.maskedStripeTrack2) ?? textOf(objects, TAGS.maskedChipTrack2);
  return { ...readMaskedPan(textOf(objects, TAGS.maskedPan) ?? ''), ...readMaskedTrack2(track ?? '') };
}

/** Enciphered bytes and their key serial number, when both are there. */
export function enciphered(objects: readonly TlvNode[], data: string, ksn: string): Enciphered | undefined {
  const [bytes, serial] = [findTlv(objects, data), findTlv(objects, ksn)];
  return bytes && serial && { data: bytes, ksn: serial };
}

/**
 * What the gateway needs of a card, out of the objects of E4, E3, E5, or of a swipe.
 * @param pin asked for apart, where it was
 */
export function cardData(
  objects: readonly TlvNode[],
  entryMode: EntryMode,
  pin = enciphered(objects, TAGS.pinData, TAGS.pinKsn),
): CardData | Failed {
  const sred = enciphered(objects, TAGS.sredData, TAGS.sredKsn);
  if (!sred) return failed('key-missing', 'the terminal enciphers no card data: its SRED key is missing');
  if (sred.data.length > MAX_POS_FIELD_BYTES) {
    return failed('data-too-long', `card data of ${sred.data.length} bytes, at most ${MAX_POS_FIELD_BYTES}`);
  }
  const chip = entryMode === 'ICC' || entryMode === 'NFC_ICC';
  const iccData = cleanIccData(chip ? objects.filter(({ tag }) => WANTED.has(tag)) : []);
  if ('kind' in iccData) return iccData;
  return { facts: cardFacts(entryMode, maskedAccount(objects), objects), iccData, sred, ...(pin && { pin }) };
}
