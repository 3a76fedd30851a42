import { findTlv } from '@tillbridge/protocol/emv/tlv.js';
import { INTERFACES } from '@tillbridge/protocol/terminals/newland/callbacks.js';
import {
  DATA_KEY_SLOT_OFFSET,
  DISPLAY_ROWS,
  decodeKeySerialNumber,
  encodeDisplay,
  encodeKeySlot,
} from '@tillbridge/protocol/terminals/newland/commands.js';
import {
  decodeTerminalConfig,
  encodeGetTerminalConfig,
} from '@tillbridge/protocol/terminals/newland/kernel-data.js';
import { displayRows } from '../core/display-rows.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { plainText, readTlv } from '../core/emv-data.js';
import { attempt, failed, isFailed, type Result } from '../core/result.js';
import { DISPLAY_COLUMNS } from './limits.js';
import { command, level3, type NewlandLink } from './link.js';
import { dataOf, outcomeOf } from './replies.js';

const EMPTY = Buffer.alloc(0);
const MAKER = 'Newland';
const MODEL = 'P180';
/** IFD serial number (EMV Book 3 Annex A). */
const SERIAL = '9F1E';
/** Configuration of the L3 module: nothing beyond its defaults. */
const L3_CONFIG = Buffer.alloc(8);

/** Slots of the pad's DUKPT keys. */
export const KEY_SLOTS = { pin: 1, data: DATA_KEY_SLOT_OFFSET + 1 } as const;
/** What a key is for. */
export type KeyUse = keyof typeof KEY_SLOTS;

/** Frees the device from whatever it does, and asks what it is. */
export async function openDevice(link: NewlandLink): Promise<Result<TerminalIdentity>> {
  link.reset();
  link.cancelCardWait();
  // A pad without a PIN entry may refuse to end one.
  const pin = outcomeOf('CANCEL PIN', await link.execute(command('cancelPin')));
  if (isFailed(pin)) return pin;
  const ended = await terminate(link);
  if (ended) return ended;
  const initialised = dataOf('INITIALISE L3', await link.execute(level3('initialise', L3_CONFIG)));
  if (isFailed(initialised)) return initialised;
  const firmware = await readStatus(link);
  if (isFailed(firmware)) return firmware;
  const serial = await readSerial(link);
  if (isFailed(serial)) return serial;
  return { maker: MAKER, model: MODEL, firmware, serial };
}

/** TERMINATE TRANSACTION: whatever runs on the pad is over. */
export async function terminate(link: NewlandLink): Promise<Result<undefined>> {
  const data = dataOf('TERMINATE TRANSACTION', await link.execute(level3('terminate')));
  return isFailed(data) ? data : undefined;
}

/** What the pad says of itself: printable characters whose form is from public sources incomplete. */
export async function readStatus(link: NewlandLink): Promise<Result<string>> {
  const reply = await link.execute(command('status'));
  if (isFailed(reply)) return reply;
  return reply
    .toString('latin1')
    .replace(/[^ -~]+/g, ' ')
    .trim();
}

/** STATUS names no serial number that could be relied on: the terminal configuration does. */
async function readSerial(link: NewlandLink): Promise<Result<string>> {
  const what = 'GET TERMINAL CONFIG';
  const request = level3('getTerminalConfig', encodeGetTerminalConfig(INTERFACES.contact));
  const data = dataOf(what, await link.execute(request));
  if (isFailed(data)) return data;
  const bytes = attempt(what, () => decodeTerminalConfig(data));
  if (isFailed(bytes)) return bytes;
  const nodes = readTlv(what, bytes);
  if (isFailed(nodes)) return nodes;
  const serial = plainText(findTlv(nodes, SERIAL) ?? EMPTY);
  return serial || failed('protocol-error', `${what}: the serial number (tag ${SERIAL}) is missing`);
}

/** The serial number of the key that stands now; undefined where the slot has no key. */
export async function keySerialNumber(link: NewlandLink, use: KeyUse): Promise<Result<Buffer | undefined>> {
  const what = 'GET DUKPT KSN';
  const outcome = outcomeOf(
    what,
    await link.execute(command('keySerialNumber', encodeKeySlot(KEY_SLOTS[use]))),
  );
  if (isFailed(outcome)) return outcome;
  return outcome.kind === 'done' ? attempt(what, () => decodeKeySerialNumber(outcome.data)) : undefined;
}

/** Goes on to the next key of a slot. @returns whether the slot has one */
export async function nextKey(link: NewlandLink, use: KeyUse): Promise<Result<boolean>> {
  const request = command('increaseKeySerialNumber', encodeKeySlot(KEY_SLOTS[use]));
  const outcome = outcomeOf('INCREASE DUKPT KSN', await link.execute(request));
  return isFailed(outcome) ? outcome : outcome.kind === 'done';
}

/** Shows a text, broken into the rows of the display. */
export async function showText(link: NewlandLink, text: string): Promise<Result<undefined>> {
  const reply = await link.execute(
    command(
      'display',
      encodeDisplay(displayRows(text.replace(/[^ -~]+/g, ' '), DISPLAY_COLUMNS, DISPLAY_ROWS)),
    ),
  );
  return isFailed(reply) ? reply : undefined;
}

/** The keys of the pad; of tampering, battery and clock its protocol tells nothing that is published. */
export async function readCondition(
  link: NewlandLink,
  identity: TerminalIdentity,
): Promise<Result<TerminalCondition>> {
  const data = await keyCondition(link, 'data');
  if (isFailed(data)) return data;
  const pin = await keyCondition(link, 'pin');
  if (isFailed(pin)) return pin;
  return { kind: 'condition', identity, keys: { data, pin } };
}

async function keyCondition(link: NewlandLink, use: KeyUse): Promise<Result<KeyCondition>> {
  const ksn = await keySerialNumber(link, use);
  if (ksn === undefined) return 'missing';
  return isFailed(ksn) ? ksn : 'loaded';
}
