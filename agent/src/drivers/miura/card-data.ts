import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { MaskedAccount } from '@tillbridge/wire/terminals/masked-account.js';
import { readMaskedPan, readMaskedTrack2 } from '@tillbridge/wire/terminals/miura/masked-track.js';
import { TAGS } from '@tillbridge/wire/terminals/miura/tags.js';
import { cardData, enciphered } from '../core/card-data.js';
import type { CardData, EntryMode } from '../core/driver.js';
import { textOf } from '../core/emv-data.js';
import { failed, type Result } from '../core/result.js';

/** The masked account of a chip, a tap or a magnetic stripe. */
export function maskedAccount(objects: readonly TlvNode[]): MaskedAccount {
  const track = textOf(objects, TAGS.maskedMagstripeTrack2) ?? textOf(objects, TAGS.maskedChipTrack2);
  return { ...readMaskedPan(textOf(objects, TAGS.maskedPan) ?? ''), ...readMaskedTrack2(track ?? '') };
}

/**
 * What the gateway needs of a card, out of the objects of E4, E3, E5, or of a swipe.
 * @param pin from a separate PIN entry, where there was one
 */
export function readCard(
  objects: readonly TlvNode[],
  entryMode: EntryMode,
  pin = enciphered(objects, TAGS.pinData, TAGS.pinKsn),
): Result<CardData> {
  const sred = enciphered(objects, TAGS.sredData, TAGS.sredKsn);
  if (!sred) return failed('key-missing', 'the terminal enciphers no card data: its SRED key is missing');
  return cardData({ entryMode, account: maskedAccount(objects), objects, sred, pin });
}
