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
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { isTlv, readTlv } from '../core/emv-data.js';
import { type Failed, failed } from '../core/result.js';
import { DISPLAY_COLUMNS } from './limits.js';
import { command, level3, type NewlandLink } from './link.js';
import { dataOf, outcomeOf, readReply } from './replies.js';

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
export async function openDevice(link: NewlandLink): Promise<TerminalIdentity | Failed> {
  link.reset();
  link.cancelCardWait();
  // A pad without a PIN entry may refuse to end one.
  const pin = outcomeOf('CANCEL PIN', await link.execute(command('cancelPin')));
  if (pin.kind === 'failed') return pin;
  const ended = await terminate(link);
  if (ended) return ended;
  const initialised = dataOf('INITIALISE L3', await link.execute(level3('initialise', L3_CONFIG)));
  if (!Buffer.isBuffer(initialised)) return initialised;
  const firmware = await readStatus(link);
  if (typeof firmware !== 'string') return firmware;
  const serial = await readSerial(link);
  if (typeof serial !== 'string') return serial;
  return { maker: MAKER, model: MODEL, firmware, serial };
}

/** TERMINATE TRANSACTION: whatever runs on the pad is over. */
export async function terminate(link: NewlandLink): Promise<Failed | undefined> {
  const data = dataOf('TERMINATE TRANSACTION', await link.execute(level3('terminate')));
  return Buffer.isBuffer(data) ? undefined : data;
}

/** What the pad says of itself: printable characters whose form is from public sources incomplete. */
export async function readStatus(link: NewlandLink): Promise<string | Failed> {
  const reply = await link.execute(command('status'));
  if (reply.kind === 'failed') return reply;
  return reply.body
    .toString('latin1')
    .replace(/[^ -~]+/g, ' ')
    .trim();
}

/** STATUS names no serial number that could be relied on: the terminal configuration does. */
async function readSerial(link: NewlandLink): Promise<string | Failed> {
  const what = 'GET TERMINAL CONFIG';
  const request = level3('getTerminalConfig', encodeGetTerminalConfig(INTERFACES.contact));
  const data = dataOf(what, await link.execute(request));
  if (!Buffer.isBuffer(data)) return data;
  const bytes = readReply(what, () => decodeTerminalConfig(data));
  if (!Buffer.isBuffer(bytes)) return bytes;
  const nodes = readTlv(what, bytes);
  if (!isTlv(nodes)) return nodes;
  const serial = Buffer.from(findTlv(nodes, SERIAL) ?? [])
    .toString('latin1')
    .trim();
  return serial || failed('protocol-error', `${what}: the serial number (tag ${SERIAL}) is missing`);
}

/** The serial number of the key that stands now; undefined where the slot has no key. */
export async function keySerialNumber(link: NewlandLink, use: KeyUse): Promise<Buffer | undefined | Failed> {
  const what = 'GET DUKPT KSN';
  const outcome = outcomeOf(
    what,
    await link.execute(command('keySerialNumber', encodeKeySlot(KEY_SLOTS[use]))),
  );
  if (outcome.kind === 'failed') return outcome;
  return outcome.kind === 'done' ? readReply(what, () => decodeKeySerialNumber(outcome.data)) : undefined;
}

/** Goes on to the next key of a slot. @returns whether the slot has one */
export async function nextKey(link: NewlandLink, use: KeyUse): Promise<boolean | Failed> {
  const request = command('increaseKeySerialNumber', encodeKeySlot(KEY_SLOTS[use]));
  const outcome = outcomeOf('INCREASE DUKPT KSN', await link.execute(request));
  return outcome.kind === 'failed' ? outcome : outcome.kind === 'done';
}

/** Shows a text, broken into the rows of the display. */
export async function showText(link: NewlandLink, text: string): Promise<Failed | undefined> {
  const reply = await link.execute(command('display', encodeDisplay(rowsOf(text))));
  return reply.kind === 'failed' ? reply : undefined;
}

function rowsOf(text: string): string[] {
  const rows: string[] = [];
  for (const word of text.replace(/[^ -~]+/g, ' ').split(/\s+/)) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= DISPLAY_COLUMNS)
      rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word.slice(0, DISPLAY_COLUMNS));
  }
  return rows.slice(0, DISPLAY_ROWS);
}

/** The keys of the pad; of tampering, battery and clock its protocol tells nothing that is published. */
export async function readCondition(
  link: NewlandLink,
  identity: TerminalIdentity,
): Promise<TerminalCondition | Failed> {
  const data = await keyCondition(link, 'data');
  if (typeof data !== 'string') return data;
  const pin = await keyCondition(link, 'pin');
  if (typeof pin !== 'string') return pin;
  return { kind: 'condition', identity, keys: { data, pin } };
}

async function keyCondition(link: NewlandLink, use: KeyUse): Promise<KeyCondition | Failed> {
  const ksn = await keySerialNumber(link, use);
  if (ksn === undefined) return 'missing';
  return Buffer.isBuffer(ksn) ? 'loaded' : ksn;
}
