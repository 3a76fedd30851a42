import { INTERFACES } from '@tillbridge/wire/terminals/newland/callbacks.js';
import {
  DATA_KEY_SLOT_OFFSET,
  DISPLAY_ROWS,
  decodeKeySerialNumber,
  encodeDisplay,
  encodeKeySlot,
} from '@tillbridge/wire/terminals/newland/commands.js';
import {
  decodeTerminalConfig,
  encodeGetTerminalConfig,
} from '@tillbridge/wire/terminals/newland/kernel-data.js';
import { displayRows } from '../core/display-rows.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { readTlv, textOf } from '../core/emv-data.js';
import { andThen, attempt, failed, inOrder, isFailed, problemOf, type Result } from '../core/result.js';
import { DISPLAY_COLUMNS } from './limits.js';
import { command, level3, type NewlandLink } from './link.js';
import { ask, outcomeOf } from './replies.js';

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

/** Ends what runs on the device, and reads its identity. */
export async function openDevice(link: NewlandLink): Promise<Result<TerminalIdentity>> {
  link.reset();
  link.cancelCardWait();
  // A pad without a PIN entry may refuse to end one.
  const pin = outcomeOf('CANCEL PIN', await link.execute(command('cancelPin')));
  if (isFailed(pin)) return pin;
  const ended = await terminate(link);
  if (ended) return ended;
  const read = await inOrder({
    initialised: () => ask(link, level3('initialise', L3_CONFIG), (data) => data),
    firmware: () => readStatus(link),
    serial: () => readSerial(link),
  });
  return andThen(read, ({ firmware, serial }) => ({ maker: MAKER, model: MODEL, firmware, serial }));
}

/** TERMINATE TRANSACTION: ends what runs on the pad. */
export async function terminate(link: NewlandLink): Promise<Result<undefined>> {
  return problemOf(await ask(link, level3('terminate'), (data) => data));
}

function printable(text: string): string {
  return text.replace(/[^ -~]+/g, ' ');
}

/** Status text of the pad: printable characters; their form is from public sources incomplete. */
export async function readStatus(link: NewlandLink): Promise<Result<string>> {
  return andThen(await link.execute(command('status')), (reply) =>
    printable(reply.toString('latin1')).trim(),
  );
}

/** STATUS names no serial number that could be relied on: the terminal configuration does. */
async function readSerial(link: NewlandLink): Promise<Result<string>> {
  const request = level3('getTerminalConfig', encodeGetTerminalConfig(INTERFACES.contact));
  const nodes = await ask(link, request, (data) => readTlv(request.name, decodeTerminalConfig(data)));
  return andThen(nodes, (objects) => {
    const serial = textOf(objects, SERIAL);
    return (
      serial || failed('protocol-error', `${request.name}: the serial number (tag ${SERIAL}) is missing`)
    );
  });
}

/** The serial number of the present key; undefined where the slot has no key. */
export async function keySerialNumber(link: NewlandLink, use: KeyUse): Promise<Result<Buffer | undefined>> {
  const request = command('keySerialNumber', encodeKeySlot(KEY_SLOTS[use]));
  const outcome = outcomeOf(request.name, await link.execute(request));
  if (isFailed(outcome)) return outcome;
  if (outcome.kind === 'refused') return undefined;
  return attempt(request.name, () => decodeKeySerialNumber(outcome.data));
}

/** Goes on to the next key of a slot. @returns whether the slot has one */
export async function nextKey(link: NewlandLink, use: KeyUse): Promise<Result<boolean>> {
  const request = command('increaseKeySerialNumber', encodeKeySlot(KEY_SLOTS[use]));
  return andThen(outcomeOf(request.name, await link.execute(request)), ({ kind }) => kind === 'done');
}

/** Shows a text, broken into the rows of the display. */
export async function showText(link: NewlandLink, text: string): Promise<Result<undefined>> {
  const rows = displayRows(printable(text), DISPLAY_COLUMNS, DISPLAY_ROWS);
  return problemOf(await link.execute(command('display', encodeDisplay(rows))));
}

/** The keys of the pad. Nothing is published on tampering, battery and clock. */
export async function readCondition(
  link: NewlandLink,
  identity: TerminalIdentity,
): Promise<Result<TerminalCondition>> {
  const keys = await inOrder({
    data: () => keyCondition(link, 'data'),
    pin: () => keyCondition(link, 'pin'),
  });
  return andThen(keys, (conditions) => ({ kind: 'condition', identity, keys: conditions }));
}

async function keyCondition(link: NewlandLink, use: KeyUse): Promise<Result<KeyCondition>> {
  const ksn = await keySerialNumber(link, use);
  if (ksn === undefined) return 'missing';
  return isFailed(ksn) ? ksn : 'loaded';
}
