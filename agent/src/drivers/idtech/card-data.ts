import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { Attribution } from '@tillbridge/wire/terminals/idtech/attribution.js';
import type { MagstripeData } from '@tillbridge/wire/terminals/idtech/magstripe-data.js';
import {
  type MaskedAccount,
  readMasked5A,
  readMasked57,
  readMaskedMagstripe,
} from '@tillbridge/wire/terminals/idtech/masking.js';
import { findObject, type SecureObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { PIN_BLOCK_TAG, TAGS } from '@tillbridge/wire/terminals/idtech/tags.js';
import type { TransactionAnswer } from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import { cardData } from '../core/card-data.js';
import type { CardData, Enciphered, EntryMode } from '../core/driver.js';
import { failed, isFailed, type Result } from '../core/result.js';

const TRACK_2 = 1;
/** Bytes of a KSN by what its key enciphers with. */
const KSN_BYTES = { tdes: 10, aes: 12 } as const;

/** The objects that came in clear, without those that hold nothing. */
export function plainNodes(objects: readonly SecureObject[]): TlvNode[] {
  return objects.flatMap(({ tag, disclosure, value }) =>
    disclosure === 'plain' && value.length > 0 ? [tlv(tag, value)] : [],
  );
}

/** The masked account of a chip or a tap. */
function maskedAccount(objects: readonly SecureObject[]): MaskedAccount {
  const [track, pan] = [findObject(objects, '57', 'masked'), findObject(objects, '5A', 'masked')];
  return { ...(pan && readMasked5A(pan)), ...(track && readMasked57(track)) };
}

/**
 * Card data as the gateway can open them: TDES under a TDES DUKPT key, or AES under an AES DUKPT key, which the length of the KSN
 * shows. The format also defines AES under a TDES DUKPT key.
 */
function sredOf(
  data: Uint8Array | undefined,
  ksn: Uint8Array | undefined,
  cipher: Attribution['cipher'],
): Result<Enciphered> {
  if (!data || !ksn) {
    return failed('key-missing', 'the terminal enciphers no card data: its data key is missing');
  }
  if (ksn.length !== KSN_BYTES[cipher]) {
    const wanted = `${cipher.toUpperCase()} needs a KSN of ${KSN_BYTES[cipher]} bytes`;
    return failed('protocol-error', `the KSN of the card data has ${ksn.length} bytes, ${wanted}`);
  }
  return { data, ksn };
}

/** The PIN block that came with the first cryptogram; a skipped PIN leaves it empty. */
export function pinOf(objects: readonly SecureObject[]): Enciphered | undefined {
  const [data, ksn] = [findObject(objects, PIN_BLOCK_TAG), findObject(objects, TAGS.pinKsn)];
  return data && data.length > 0 && ksn && ksn.length > 0 ? { data, ksn } : undefined;
}

/** What the gateway needs of a chip or a tap, out of the objects of all its answers. */
export function chipData(
  { attribution, objects }: TransactionAnswer,
  entryMode: EntryMode,
  pin: Enciphered | undefined,
): Result<CardData> {
  const track = findObject(objects, '57', 'encrypted') ?? findObject(objects, '5A', 'encrypted');
  const sred = sredOf(track, findObject(objects, TAGS.dataKsn), attribution.cipher);
  if (isFailed(sred)) return sred;
  return cardData({
    entryMode,
    account: maskedAccount(objects),
    objects: onlyOnce(plainNodes(objects)),
    sred,
    pin,
  });
}

/** Objects that came in several answers count as in the last one. */
function onlyOnce(nodes: readonly TlvNode[]): readonly TlvNode[] {
  return [...new Map(nodes.map((node) => [node.tag, node])).values()];
}

/** What the gateway needs of a magnetic stripe, or of a number that was keyed in. */
export function magstripeData(data: MagstripeData, entryMode: EntryMode): Result<CardData> {
  const sred = sredOf(data.encrypted[TRACK_2], data.ksn, data.cipher);
  if (isFailed(sred)) return sred;
  return cardData({ entryMode, account: readMaskedMagstripe(data.masked[TRACK_2] ?? ''), objects: [], sred });
}
