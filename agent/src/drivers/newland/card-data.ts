import { CARD_TAGS, REQUEST_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import {
  DIALOG_FIELDS,
  decodeDialogAnswer,
  EXPIRY_FORMATS,
  encodeDialog,
} from '@tillbridge/wire/terminals/newland/dialog.js';
import {
  CLEAR,
  DATA_TYPES,
  decodeKernelData,
  encodeGetData,
  encodeGetTlvList,
} from '@tillbridge/wire/terminals/newland/kernel-data.js';
import { decodeEncipheredPan, type EncipheredPan } from '@tillbridge/wire/terminals/newland/masked-pan.js';
import type { PerformAnswer } from '@tillbridge/wire/terminals/newland/perform.js';
import { ENTRY_MODES, TAGS } from '@tillbridge/wire/terminals/newland/tags.js';
import { cardData, known } from '../core/card-data.js';
import type { CardData, Enciphered, EntryMode } from '../core/driver.js';
import { readTlv } from '../core/emv-data.js';
import { andThen, attempt, failed, inOrder, isFailed, type Result } from '../core/result.js';
import { KEY_SLOTS, type KeyUse, keySerialNumber } from './device.js';
import { COMMAND_TIMEOUT_MS, DIALOG_SECONDS, MAX_DATA_BYTES } from './limits.js';
import { type Command, command, level3, type NewlandLink } from './link.js';
import { ask, outcomeOf } from './replies.js';

const KEY_NAMES: Readonly<Record<KeyUse, string>> = { data: 'data', pin: 'PIN' };
const PIN_BLOCK_BYTES = 8;
const EXPIRY_DIGITS = 4;
const REQUESTED_TAGS = [...new Set([...REQUEST_TAGS, ...CARD_TAGS])];

/** Data of the kernel, in clear or under the key of a slot; undefined when it has none. */
async function kernelData(
  link: NewlandLink,
  request: Command,
  keySlot: number,
): Promise<Result<Buffer | undefined>> {
  return ask(link, request, (data) => {
    const answer = decodeKernelData(data, keySlot);
    return answer.kind === 'data' ? answer.data : undefined;
  });
}

function getData(link: NewlandLink, type: number, keySlot: number): Promise<Result<Buffer | undefined>> {
  return kernelData(
    link,
    level3('getData', encodeGetData({ keySlot, type, maxBytes: MAX_DATA_BYTES })),
    keySlot,
  );
}

/** Objects of the transaction, in clear: never card data. */
export async function getTlvList(
  link: NewlandLink,
  tags: readonly string[],
): Promise<Result<readonly TlvNode[]>> {
  const list = encodeGetTlvList({ keySlot: CLEAR, tags, maxBytes: MAX_DATA_BYTES });
  const request = level3('getTlvList', list);
  return andThen(await kernelData(link, request, CLEAR), (data) => (data ? readTlv(request.name, data) : []));
}

const OF_CODE: ReadonlyMap<number | undefined, EntryMode> = new Map([
  [ENTRY_MODES.chip, 'ICC'],
  [ENTRY_MODES.contactless, 'NFC_ICC'],
  [ENTRY_MODES.magstripe, 'MAGSTRIPE'],
  [ENTRY_MODES.fallback, 'MAGSTRIPE_AS_FALLBACK'],
  [ENTRY_MODES.manual, 'MANUAL'],
]);

function entryModeOf(code: number | undefined, objects: readonly TlvNode[]): EntryMode | undefined {
  const mode = OF_CODE.get(code);
  return mode === 'NFC_ICC' && !findTlv(objects, '9F26') ? 'NFC_MAGSTRIPE' : mode;
}

/** Reads what the gateway needs of the card that PERFORM TRANSACTION read. The agent requests no card number in clear. */
export async function readCardData(link: NewlandLink, answer: PerformAnswer): Promise<Result<CardData>> {
  const pan = await getPan(link);
  if (isFailed(pan)) return pan;
  const code = findTlv(answer.objects, '9F39')?.[0];
  const chip = code === ENTRY_MODES.chip || code === ENTRY_MODES.contactless;
  const objects = chip ? await getTlvList(link, REQUESTED_TAGS) : [];
  if (isFailed(objects)) return objects;
  const entryMode = entryModeOf(code, objects);
  if (!entryMode) return failed('protocol-error', 'the terminal does not tell how the card was given');
  const read = await inOrder({
    sred: () => getAccount(link, pan),
    expiry: () => (entryMode === 'MANUAL' ? askExpiry(link) : getData(link, DATA_TYPES.expiry, CLEAR)),
    pin: () => getPin(link, answer),
  });
  return andThen(read, ({ sred, expiry, pin }) => {
    const account = { ...pan.masked, ...known({ expiry: expiryOf(expiry) }) };
    return cardData({ entryMode, account, objects, sred, pin });
  });
}

/** The expiry of a card number that was keyed in, in a dialog. The check value is not requested. */
async function askExpiry(link: NewlandLink): Promise<Result<Buffer | undefined>> {
  const field = {
    field: DIALOG_FIELDS.expiry,
    format: EXPIRY_FORMATS.yearMonth,
    minLength: EXPIRY_DIGITS,
    maxLength: EXPIRY_DIGITS,
    timeoutSeconds: DIALOG_SECONDS,
  };
  const timeoutMs = DIALOG_SECONDS * 1_000 + COMMAND_TIMEOUT_MS;
  const request = command('dialog', encodeDialog([field]));
  const outcome = outcomeOf(request.name, await link.execute(request, timeoutMs));
  if (isFailed(outcome)) return outcome;
  if (outcome.kind === 'refused') return failed('card-error', 'the expiry of the card was not keyed in');
  const values = attempt(request.name, () => decodeDialogAnswer(outcome.data));
  return andThen(values, (fields) => Buffer.from(fields.get(DIALOG_FIELDS.expiry) ?? '', 'latin1'));
}

async function getPan(link: NewlandLink): Promise<Result<EncipheredPan>> {
  const bytes = await getData(link, DATA_TYPES.pan, KEY_SLOTS.data);
  if (bytes === undefined) return failed('card-error', 'the terminal read no card number');
  return isFailed(bytes) ? bytes : attempt('GET DATA', () => decodeEncipheredPan(bytes));
}

/** Track 2, or the card number where the card has no track. */
async function getAccount(link: NewlandLink, pan: EncipheredPan): Promise<Result<Enciphered>> {
  const track = await getData(link, DATA_TYPES.track2, KEY_SLOTS.data);
  return isFailed(track) ? track : withKeySerialNumber(link, 'data', track ?? pan.cipher);
}

async function getPin(
  link: NewlandLink,
  { objects }: PerformAnswer,
): Promise<Result<Enciphered | undefined>> {
  const block = findTlv(objects, TAGS.pinBlock);
  if (!block?.some((byte) => byte !== 0)) return undefined;
  if (block.length !== PIN_BLOCK_BYTES) {
    return failed('protocol-error', `the PIN block has ${block.length} bytes, must have ${PIN_BLOCK_BYTES}`);
  }
  return withKeySerialNumber(link, 'pin', block);
}

async function withKeySerialNumber(
  link: NewlandLink,
  use: KeyUse,
  data: Uint8Array,
): Promise<Result<Enciphered>> {
  return andThen(await keySerialNumber(link, use), (ksn) =>
    ksn ? { data, ksn } : failed('key-missing', `the terminal’s ${KEY_NAMES[use]} key is missing`),
  );
}

/** `YYMM`; undefined where the pad gives none. */
function expiryOf(bytes: Buffer | undefined): string | undefined {
  return /^\d{4}/.exec(bytes?.toString('latin1') ?? '')?.[0];
}
