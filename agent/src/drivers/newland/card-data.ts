import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import {
  DIALOG_FIELDS,
  decodeDialogAnswer,
  EXPIRY_FORMATS,
  encodeDialog,
} from '@tillbridge/protocol/terminals/newland/dialog.js';
import {
  CLEAR,
  DATA_TYPES,
  decodeKernelData,
  encodeGetData,
  encodeGetTlvList,
} from '@tillbridge/protocol/terminals/newland/kernel-data.js';
import {
  decodeEncipheredPan,
  type EncipheredPan,
} from '@tillbridge/protocol/terminals/newland/masked-pan.js';
import type { PerformAnswer } from '@tillbridge/protocol/terminals/newland/perform.js';
import { ENTRY_MODES, TAGS } from '@tillbridge/protocol/terminals/newland/tags.js';
import type { CardData, CardFacts, Enciphered, EntryMode } from '../core/driver.js';
import { CARD_TAGS, cleanIccData, isTlv, REQUEST_TAGS, readTlv } from '../core/emv-data.js';
import { MAX_POS_FIELD_BYTES } from '../core/limits.js';
import { type Failed, failed } from '../core/result.js';
import { KEY_SLOTS, keySerialNumber } from './device.js';
import { COMMAND_TIMEOUT_MS, DIALOG_SECONDS, MAX_DATA_BYTES } from './limits.js';
import { command, level3, type NewlandLink } from './link.js';
import { dataOf, outcomeOf, readReply } from './replies.js';

const PIN_BLOCK_BYTES = 8;
const EXPIRY_DIGITS = 4;
const WANTED: ReadonlySet<string> = new Set(REQUEST_TAGS);
const ASKED = [...new Set([...REQUEST_TAGS, ...CARD_TAGS])];

/** One datum of the kernel; undefined when it has none. */
async function getData(
  link: NewlandLink,
  type: number,
  keySlot: number,
): Promise<Buffer | undefined | Failed> {
  const what = 'GET DATA';
  const request = level3('getData', encodeGetData({ keySlot, type, maxBytes: MAX_DATA_BYTES }));
  const data = dataOf(what, await link.execute(request));
  if (!Buffer.isBuffer(data)) return data;
  const answer = readReply(what, () => decodeKernelData(data, keySlot));
  if (answer.kind === 'failed') return answer;
  return answer.kind === 'data' ? answer.data : undefined;
}

/** Objects of the transaction, in clear: never card data. */
export async function getTlvList(
  link: NewlandLink,
  tags: readonly string[],
): Promise<readonly TlvNode[] | Failed> {
  const what = 'GET TLV LIST';
  const request = encodeGetTlvList({ keySlot: CLEAR, tags, maxBytes: MAX_DATA_BYTES });
  const data = dataOf(what, await link.execute(level3('getTlvList', request)));
  if (!Buffer.isBuffer(data)) return data;
  const answer = readReply(what, () => decodeKernelData(data, CLEAR));
  if (answer.kind === 'failed') return answer;
  return answer.kind === 'data' ? readTlv(what, answer.data) : [];
}

function isFailed<T extends object>(value: T | Failed | undefined): value is Failed {
  return value !== undefined && 'kind' in value && value.kind === 'failed';
}

function entryModeOf(code: number | undefined, objects: readonly TlvNode[]): EntryMode | undefined {
  switch (code) {
    case ENTRY_MODES.chip:
      return 'ICC';
    case ENTRY_MODES.contactless:
      return findTlv(objects, '9F26') ? 'NFC_ICC' : 'NFC_MAGSTRIPE';
    case ENTRY_MODES.stripe:
      return 'MAGSTRIPE';
    case ENTRY_MODES.fallback:
      return 'MAGSTRIPE_AS_FALLBACK';
    case ENTRY_MODES.manual:
      return 'MANUAL';
    default:
      return undefined;
  }
}

/** Reads what the gateway needs of the card that PERFORM TRANSACTION read. The agent asks for no card number in clear. */
export async function readCardData(link: NewlandLink, answer: PerformAnswer): Promise<CardData | Failed> {
  const pan = await getPan(link);
  if (isFailed(pan)) return pan;
  const code = findTlv(answer.objects, '9F39')?.[0];
  const chip = code === ENTRY_MODES.chip || code === ENTRY_MODES.contactless;
  const objects = chip ? await getTlvList(link, ASKED) : [];
  if (!isTlv(objects)) return objects;
  const entryMode = entryModeOf(code, objects);
  if (!entryMode) return failed('protocol-error', 'the terminal does not tell how the card was given');
  const sred = await getAccount(link, pan);
  if (isFailed(sred)) return sred;
  const expiry =
    entryMode === 'MANUAL' ? await askExpiry(link) : await getData(link, DATA_TYPES.expiry, CLEAR);
  if (isFailed(expiry)) return expiry;
  const pin = await getPin(link, answer);
  if (isFailed(pin)) return pin;
  const emv = entryMode === 'ICC' || entryMode === 'NFC_ICC';
  const iccData = cleanIccData(emv ? objects.filter(({ tag }) => WANTED.has(tag)) : []);
  if ('kind' in iccData) return iccData;
  const { masked } = pan;
  const facts = { entryMode, ...masked, ...expiryFact(expiry), ...chipFacts(objects) };
  return { facts, iccData, sred, ...(pin && { pin }) };
}

/** The expiry of a card number that was keyed in: a dialog of its own; its check value is not asked for. */
async function askExpiry(link: NewlandLink): Promise<Buffer | undefined | Failed> {
  const what = 'INPUT DIALOG';
  const field = {
    field: DIALOG_FIELDS.expiry,
    format: EXPIRY_FORMATS.yearMonth,
    minLength: EXPIRY_DIGITS,
    maxLength: EXPIRY_DIGITS,
    timeoutSeconds: DIALOG_SECONDS,
  };
  const timeoutMs = DIALOG_SECONDS * 1_000 + COMMAND_TIMEOUT_MS;
  const outcome = outcomeOf(what, await link.execute(command('dialog', encodeDialog([field])), timeoutMs));
  if (outcome.kind === 'failed') return outcome;
  if (outcome.kind === 'refused') return failed('card-error', 'the expiry of the card was not keyed in');
  const values = readReply(what, () => decodeDialogAnswer(outcome.data));
  if ('kind' in values) return values;
  return Buffer.from(values.get(DIALOG_FIELDS.expiry) ?? '', 'latin1');
}

async function getPan(link: NewlandLink): Promise<EncipheredPan | Failed> {
  const bytes = await getData(link, DATA_TYPES.pan, KEY_SLOTS.data);
  if (bytes === undefined) return failed('card-error', 'the terminal read no card number');
  return Buffer.isBuffer(bytes) ? readReply('GET DATA', () => decodeEncipheredPan(bytes)) : bytes;
}

/** Track 2, or the card number where the card has no track. */
async function getAccount(link: NewlandLink, pan: EncipheredPan): Promise<Enciphered | Failed> {
  const track = await getData(link, DATA_TYPES.track2, KEY_SLOTS.data);
  if (isFailed(track)) return track;
  const data = track ?? pan.cipher;
  if (data.length > MAX_POS_FIELD_BYTES) {
    return failed('data-too-long', `card data of ${data.length} bytes, at most ${MAX_POS_FIELD_BYTES}`);
  }
  const ksn = await keySerialNumber(link, 'data');
  if (ksn === undefined) return failed('key-missing', 'the terminal’s data key is missing');
  return Buffer.isBuffer(ksn) ? { data, ksn } : ksn;
}

async function getPin(
  link: NewlandLink,
  { objects }: PerformAnswer,
): Promise<Enciphered | undefined | Failed> {
  const block = findTlv(objects, TAGS.pinBlock);
  if (!block?.some((byte) => byte !== 0)) return undefined;
  if (block.length !== PIN_BLOCK_BYTES) {
    return failed('protocol-error', `the PIN block has ${block.length} bytes, must have ${PIN_BLOCK_BYTES}`);
  }
  const ksn = await keySerialNumber(link, 'pin');
  if (ksn === undefined) return failed('key-missing', 'the terminal’s PIN key is missing');
  return Buffer.isBuffer(ksn) ? { data: block, ksn } : ksn;
}

function expiryFact(expiry: Buffer | undefined): Pick<CardFacts, 'expiry'> {
  const [digits] = /^\d{4}/.exec(expiry?.toString('latin1') ?? '') ?? [];
  return digits === undefined ? {} : { expiry: digits };
}

function chipFacts(objects: readonly TlvNode[]): Partial<CardFacts> {
  const hex = (tag: string): string | undefined => {
    const value = findTlv(objects, tag);
    return value && Buffer.from(value).toString('hex').toUpperCase();
  };
  const text = (tag: string): string | undefined => {
    const value = findTlv(objects, tag);
    return value && Buffer.from(value).toString('latin1').trim();
  };
  const panSequenceNumber = hex('5F34');
  const paymentAccountReference = text('9F24');
  const aid = hex('84') ?? hex('4F');
  const label = text('50');
  return {
    ...(panSequenceNumber !== undefined && { panSequenceNumber }),
    ...(paymentAccountReference !== undefined && { paymentAccountReference }),
    ...(aid !== undefined && { aid }),
    ...(label !== undefined && { label }),
  };
}
