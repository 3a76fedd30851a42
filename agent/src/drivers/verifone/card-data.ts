import { findTlv, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { encodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import {
  type ObfuscatedAccount,
  readObfuscatedPan,
  readObfuscatedTrack2,
} from '@tillbridge/protocol/terminals/verifone/obfuscated.js';
import { TAGS } from '@tillbridge/protocol/terminals/verifone/tags.js';
import { cardFacts } from '../core/card-facts.js';
import type { CardData, Enciphered, EntryMode } from '../core/driver.js';
import { CARD_TAGS, cleanIccData, REQUEST_TAGS } from '../core/emv-data.js';
import { type Failed, failed } from '../core/result.js';
import { encipherAccount } from './online-pin.js';
import { isFailed, mustAsk } from './replies.js';
import type { SdiClient } from './sdi-client.js';

const EXPIRY = '5F24';
const CRYPTOGRAM = '9F26';
const WANTED: ReadonlySet<string> = new Set(REQUEST_TAGS);
/** What is asked for of a card that was read, each once. */
const FETCHED: readonly string[] = [...new Set([...REQUEST_TAGS, ...CARD_TAGS, EXPIRY])];
const TAG_BYTES = 4;

/** Objects of the transaction that are no secret (FETCH TRX TAGS): four bytes for each tag. */
export async function fetchTags(
  client: SdiClient,
  tags: readonly string[],
): Promise<readonly TlvNode[] | Failed> {
  const list = tags.map((tag) => tag.padStart(2 * TAG_BYTES, '0')).join('');
  return mustAsk(client, 'fetchTags', {
    data: encodeContainer([tlv(TAGS.tagList, Buffer.from(list, 'hex'))]),
  });
}

/** What an answer leaves open of the account. */
export function openAccount(objects: readonly TlvNode[]): ObfuscatedAccount {
  const [pan, track2] = [findTlv(objects, TAGS.obfuscatedPan), findTlv(objects, TAGS.obfuscatedTrack2)];
  const serviceCode = serviceCodeOf(findTlv(objects, '5F30'));
  return {
    ...(serviceCode !== undefined && { serviceCode }),
    ...(track2 && readObfuscatedTrack2(track2)),
    ...(pan && readObfuscatedPan(pan)),
  };
}

/** Tag 5F30: three digits as text from a stripe, packed from a chip. */
function serviceCodeOf(value: Uint8Array | undefined): string | undefined {
  if (!value) return undefined;
  const bytes = Buffer.from(value);
  const digits = bytes.length === 3 ? bytes.toString('latin1') : bytes.toString('hex').slice(-3);
  return /^\d{3}$/.test(digits) ? digits : undefined;
}

/** A card that was read, and how. */
export interface ReadCard {
  readonly entryMode: EntryMode;
  /** Objects of the answer that told of it: the obfuscated account, the cryptogram of a chip. */
  readonly told: readonly TlvNode[];
  readonly pin?: Enciphered;
}

/** What the gateway needs of a card: asks for its objects and its enciphered account. */
export async function cardData(
  client: SdiClient,
  { entryMode, told, pin }: ReadCard,
): Promise<CardData | Failed> {
  const objects = await fetchTags(client, FETCHED);
  if (isFailed(objects)) return objects;
  const chip = entryMode === 'ICC' || entryMode === 'NFC_ICC';
  if (chip && !sameCryptogram(told, objects))
    return failed('protocol-error', 'FETCH TRX TAGS: the objects belong to another transaction');
  const iccData = cleanIccData(chip ? objects.filter(({ tag }) => WANTED.has(tag)) : []);
  if ('kind' in iccData) return iccData;
  const sred = await encipherAccount(client);
  if ('kind' in sred) return sred;
  return { facts: cardFacts(entryMode, openAccount(told), objects), iccData, sred, ...(pin && { pin }) };
}

function sameCryptogram(told: readonly TlvNode[], objects: readonly TlvNode[]): boolean {
  const [first, second] = [findTlv(told, CRYPTOGRAM), findTlv(objects, CRYPTOGRAM)];
  return first !== undefined && second !== undefined && Buffer.from(first).equals(second);
}
