import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import {
  CARD_STATUS_P1,
  type CommandName,
  DISPLAY_TEXT_P,
  KEYBOARD_STATUS_ON,
} from '@tillbridge/protocol/terminals/miura/commands.js';
import { P2PE_STATUS, TAGS, TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
import type { TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { type Failed, failed } from '../core/result.js';
import { COMMAND_TIMEOUT_MS, DISPLAY_COLUMNS, DISPLAY_ROWS } from './limits.js';
import type { MiuraLink, Reply } from './link.js';
import { dataOf, objectsOf, textOf } from './replies.js';

const NO_DATA = Buffer.alloc(0);
const MAKER = 'Miura';
/** IFD serial number (EMV Book 3 Annex A). */
const SERIAL = '9F1E';

/** What is known of a device once it has answered. */
export interface MiuraDevice {
  readonly kind: 'device';
  readonly identity: TerminalIdentity;
  readonly sredReady: boolean;
  readonly pinReady: boolean;
}

/** Sends a command without people. */
export function ask(
  link: MiuraLink,
  command: CommandName,
  { p1 = 0, p2 = 0, data = NO_DATA as Uint8Array } = {},
): Promise<Reply> {
  return link.execute({ command, p1, p2, data }, COMMAND_TIMEOUT_MS);
}

function isFailed(value: readonly TlvNode[] | Failed): value is Failed {
  return !Array.isArray(value);
}

/** Soft reset: the device ends what it does and tells what it is. */
async function identify(link: MiuraLink): Promise<TerminalIdentity | Failed> {
  const nodes = objectsOf('reset', await ask(link, 'reset'));
  if (isFailed(nodes)) return nodes;
  const serial = textOf(nodes, SERIAL);
  if (!serial) return failed('protocol-error', 'RESET DEVICE: the serial number is missing');
  const software = nodes.flatMap((node) =>
    node.tag === TEMPLATES.softwareInformation && 'children' in node ? [node.children] : [],
  );
  const [application = []] = software;
  const model = textOf(application, TAGS.identifier)?.split('-')[0] ?? '';
  return { maker: MAKER, model, firmware: textOf(application, TAGS.version) ?? '', serial };
}

async function readyKeys(link: MiuraLink): Promise<Pick<MiuraDevice, 'sredReady' | 'pinReady'> | Failed> {
  const nodes = objectsOf('p2peStatus', await ask(link, 'p2peStatus'));
  if (isFailed(nodes)) return nodes;
  const status = findTlv(nodes, TAGS.p2peStatus)?.[0] ?? 0;
  return {
    sredReady: (status & P2PE_STATUS.sredReady) !== 0,
    pinReady: (status & P2PE_STATUS.pinReady) !== 0,
  };
}

/** Frees the device, asks what it is, and asks it to tell of keys that are pressed. */
export async function openDevice(link: MiuraLink): Promise<MiuraDevice | Failed> {
  link.reset();
  const aborted = dataOf('abort', await link.abort());
  if (!Buffer.isBuffer(aborted)) return aborted;
  const identity = await identify(link);
  if ('kind' in identity) return identity;
  const keys = await readyKeys(link);
  if ('kind' in keys) return keys;
  const keyboard = dataOf('keyboardStatus', await ask(link, 'keyboardStatus', { p1: KEYBOARD_STATUS_ON }));
  if (!Buffer.isBuffer(keyboard)) return keyboard;
  return { kind: 'device', identity, ...keys };
}

/** What the device tells by itself. `slot`: chips alone, so that a stripe swiped now is not taken from the next sale. */
const TOLD = {
  nothing: 0,
  slot: CARD_STATUS_P1.unsolicited,
  cards: CARD_STATUS_P1.unsolicited | CARD_STATUS_P1.track1 | CARD_STATUS_P1.track2 | CARD_STATUS_P1.track3,
} as const;

/**
 * Says what the device shall tell of from now on; it tells at once how things stand. Answers to reset are not asked for:
 * their tag 63 is no BER-TLV, and nobody needs them.
 */
export function tellCards(link: MiuraLink, what: keyof typeof TOLD): Promise<Failed | undefined> {
  const p1 = TOLD[what];
  return link.tell({ command: 'cardStatus', p1, p2: 0, data: NO_DATA });
}

/** Shows a text, broken into the rows of the display. */
export async function showText(link: MiuraLink, text: string): Promise<Failed | undefined> {
  const data = Buffer.from(rowsOf(text).join('\n'), 'utf8');
  const p2 = DISPLAY_TEXT_P.backlight | DISPLAY_TEXT_P.utf8;
  const shown = dataOf(
    'displayText',
    await ask(link, 'displayText', { p1: DISPLAY_TEXT_P.fourRows, p2, data }),
  );
  return Buffer.isBuffer(shown) ? undefined : shown;
}

function rowsOf(text: string): string[] {
  const rows: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= DISPLAY_COLUMNS)
      rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word.slice(0, DISPLAY_COLUMNS));
  }
  return rows.slice(0, DISPLAY_ROWS);
}

/** Keys, battery and clock (P2PE STATUS, BATTERY STATUS, SYSTEM CLOCK). */
export async function readCondition(
  link: MiuraLink,
  { identity }: MiuraDevice,
): Promise<TerminalCondition | Failed> {
  const keys = await readyKeys(link);
  if ('kind' in keys) return keys;
  const battery = objectsOf('batteryStatus', await ask(link, 'batteryStatus'));
  if (isFailed(battery)) return battery;
  const clock = objectsOf('clock', await ask(link, 'clock'));
  if (isFailed(clock)) return clock;
  const percent = findTlv(battery, TAGS.batteryStatus)?.[0];
  const time = localTime(findTlv(clock, '9A'), findTlv(clock, '9F21'));
  return {
    kind: 'condition',
    identity,
    keys: { data: keys.sredReady ? 'loaded' : 'missing', pin: keys.pinReady ? 'loaded' : 'missing' },
    ...(percent !== undefined && { batteryPercent: percent }),
    ...(time !== undefined && { localTime: time }),
  };
}

function localTime(date: Uint8Array | undefined, time: Uint8Array | undefined): string | undefined {
  if (date?.length !== 3 || time?.length !== 3) return undefined;
  const [year, month, day] = Buffer.from(date).toString('hex').match(/../g) ?? [];
  return `20${year}-${month}-${day}T${Buffer.from(time).toString('hex').match(/../g)?.join(':')}`;
}
