import { CARD_TAGS, REQUEST_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { MaskedAccount } from '@tillbridge/wire/terminals/masked-account.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { readObfuscatedPan, readObfuscatedTrack2 } from '@tillbridge/wire/terminals/verifone/obfuscated.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { cardData } from '../core/card-data.js';
import type { CardData, Enciphered, EntryMode } from '../core/driver.js';
import { isChipMode } from '../core/emv-data.js';
import { failed, isFailed, type Result } from '../core/result.js';
import type { SdiLink } from './link.js';
import { encipherAccount } from './online-pin.js';
import { mustAsk } from './replies.js';

const EXPIRY = '5F24';
const CRYPTOGRAM = '9F26';
/** Tags to fetch of a card that was read, each once. */
const FETCHED: readonly string[] = [...new Set([...REQUEST_TAGS, ...CARD_TAGS, EXPIRY])];
const TAG_BYTES = 4;

/** Objects of the transaction that are no secret (FETCH TRX TAGS): four bytes for each tag. */
export async function fetchTags(link: SdiLink, tags: readonly string[]): Promise<Result<readonly TlvNode[]>> {
  const list = tags.map((tag) => tag.padStart(2 * TAG_BYTES, '0')).join('');
  return mustAsk(link, 'fetchTags', {
    data: encodeContainer([tlv(TAGS.tagList, Buffer.from(list, 'hex'))]),
  });
}

/** What an answer leaves open of the account. */
export function openAccount(objects: readonly TlvNode[]): MaskedAccount {
  const [pan, track2] = [findTlv(objects, TAGS.obfuscatedPan), findTlv(objects, TAGS.obfuscatedTrack2)];
  const serviceCode = serviceCodeOf(findTlv(objects, '5F30'));
  return {
    ...(serviceCode !== undefined && { serviceCode }),
    ...(track2 && readObfuscatedTrack2(track2)),
    ...(pan && readObfuscatedPan(pan)),
  };
}

/** Tag 5F30: three digits as text from a magstripe, packed from a chip. */
function serviceCodeOf(value: Uint8Array | undefined): string | undefined {
  if (!value) return undefined;
  const bytes = Buffer.from(value);
  const digits = bytes.length === 3 ? bytes.toString('latin1') : bytes.toString('hex').slice(-3);
  return /^\d{3}$/.test(digits) ? digits : undefined;
}

/** A card that was read, and how. */
export interface GivenCard {
  readonly entryMode: EntryMode;
  /** Objects of the answer that reported it: the obfuscated account, the cryptogram of a chip. */
  readonly detected: readonly TlvNode[];
  readonly pin?: Enciphered | undefined;
}

/** What the gateway needs of a card: requests its objects and its enciphered account. */
export async function fetchCard(
  link: SdiLink,
  { entryMode, detected, pin }: GivenCard,
): Promise<Result<CardData>> {
  const objects = await fetchTags(link, FETCHED);
  if (isFailed(objects)) return objects;
  if (isChipMode(entryMode) && !sameCryptogram(detected, objects))
    return failed('protocol-error', 'FETCH TRX TAGS: the objects belong to another transaction');
  const sred = await encipherAccount(link);
  if (isFailed(sred)) return sred;
  return cardData({ entryMode, account: openAccount(detected), objects, sred, pin });
}

function sameCryptogram(detected: readonly TlvNode[], objects: readonly TlvNode[]): boolean {
  const [first, second] = [findTlv(detected, CRYPTOGRAM), findTlv(objects, CRYPTOGRAM)];
  return first !== undefined && second !== undefined && Buffer.from(first).equals(second);
}
