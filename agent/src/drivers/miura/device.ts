import { findTlv } from '@tillbridge/wire/emv/tlv.js';
import {
  CARD_STATUS_P1,
  COMMANDS,
  type CommandName,
  DISPLAY_TEXT_P,
  KEYBOARD_STATUS_ON,
} from '@tillbridge/wire/terminals/miura/commands.js';
import { P2PE_STATUS, TAGS, TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import { known } from '../core/card-data.js';
import { displayRows } from '../core/display-rows.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { textOf } from '../core/emv-data.js';
import { andThen, failed, inOrder, isFailed, problemOf, type Result } from '../core/result.js';
import { COMMAND_TIMEOUT_MS, DISPLAY_COLUMNS, DISPLAY_ROWS } from './limits.js';
import type { MiuraLink, Reply } from './link.js';
import { dataOf, objectsOf } from './replies.js';

const NO_DATA = Buffer.alloc(0);
const MAKER = 'Miura';
/** IFD serial number (EMV Book 3 Annex A). */
const SERIAL = '9F1E';

/** What is known of a device once it has answered. */
export interface MiuraDevice {
  readonly identity: TerminalIdentity;
  readonly keys: TerminalCondition['keys'];
}

/** Sends a command without people. */
export function ask(
  link: MiuraLink,
  command: CommandName,
  { p1 = 0, p2 = 0, data = NO_DATA as Uint8Array } = {},
): Promise<Reply> {
  return link.execute({ command, p1, p2, data }, COMMAND_TIMEOUT_MS);
}

/** Soft reset: the device stops and answers with its identity. */
async function identify(link: MiuraLink): Promise<Result<TerminalIdentity>> {
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

async function readKeys(link: MiuraLink): Promise<Result<TerminalCondition['keys']>> {
  const nodes = objectsOf('p2peStatus', await ask(link, 'p2peStatus'));
  return andThen(nodes, (objects) => {
    const status = findTlv(objects, TAGS.p2peStatus)?.[0] ?? 0;
    const condition = (bit: number): KeyCondition => ((status & bit) !== 0 ? 'loaded' : 'missing');
    return { data: condition(P2PE_STATUS.sredReady), pin: condition(P2PE_STATUS.pinReady) };
  });
}

/** Frees the device, requests its identity, and turns its reports of pressed keys on. */
export async function openDevice(link: MiuraLink): Promise<Result<MiuraDevice>> {
  link.reset();
  const aborted = dataOf('abort', await link.abort());
  if (isFailed(aborted)) return aborted;
  const device = await inOrder({ identity: () => identify(link), keys: () => readKeys(link) });
  if (isFailed(device)) return device;
  const keyboard = dataOf('keyboardStatus', await ask(link, 'keyboardStatus', { p1: KEYBOARD_STATUS_ON }));
  return problemOf(keyboard) ?? device;
}

/** Unsolicited reports. `slot`: chips only, so that a swipe after the sale stays for the next one. */
const CARD_REPORTS = {
  nothing: 0,
  slot: CARD_STATUS_P1.unsolicited,
  cards: CARD_STATUS_P1.unsolicited | CARD_STATUS_P1.track1 | CARD_STATUS_P1.track2 | CARD_STATUS_P1.track3,
} as const;

/**
 * Selects the reports of the device; it sends the present state at once. Answers to reset are not requested:
 * their tag 63 is no BER-TLV, and the driver does not need them.
 */
export function selectCardReports(link: MiuraLink, what: keyof typeof CARD_REPORTS): Result<undefined> {
  const p1 = CARD_REPORTS[what];
  return link.send(COMMANDS.cardStatus.name, { command: 'cardStatus', p1, p2: 0, data: NO_DATA });
}

/** Shows a text, broken into the rows of the display. */
export async function showText(link: MiuraLink, text: string): Promise<Result<undefined>> {
  const data = Buffer.from(displayRows(text, DISPLAY_COLUMNS, DISPLAY_ROWS).join('\n'), 'utf8');
  const p2 = DISPLAY_TEXT_P.backlight | DISPLAY_TEXT_P.utf8;
  const parameters = { p1: DISPLAY_TEXT_P.fourRows, p2, data };
  return problemOf(dataOf('displayText', await ask(link, 'displayText', parameters)));
}

/** Keys, battery and clock (P2PE STATUS, BATTERY STATUS, SYSTEM CLOCK). */
export async function readCondition(
  link: MiuraLink,
  { identity }: MiuraDevice,
): Promise<Result<TerminalCondition>> {
  const read = await inOrder({
    keys: () => readKeys(link),
    battery: async () => objectsOf('batteryStatus', await ask(link, 'batteryStatus')),
    clock: async () => objectsOf('clock', await ask(link, 'clock')),
  });
  return andThen(read, ({ keys, battery, clock }) => ({
    kind: 'condition',
    identity,
    keys,
    ...known({
      batteryPercent: findTlv(battery, TAGS.batteryStatus)?.[0],
      localTime: localTime(findTlv(clock, '9A'), findTlv(clock, '9F21')),
    }),
  }));
}

function localTime(date: Uint8Array | undefined, time: Uint8Array | undefined): string | undefined {
  if (date?.length !== 3 || time?.length !== 3) return undefined;
  const [year, month, day] = Buffer.from(date).toString('hex').match(/../g) ?? [];
  return `20${year}-${month}-${day}T${Buffer.from(time).toString('hex').match(/../g)?.join(':')}`;
}
