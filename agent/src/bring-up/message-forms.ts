import { decodeTlvPartly, findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { INITIAL_FRAME_STATE as ABECS, parseFrames } from '@tillbridge/wire/terminals/abecs/framing.js';
import { decodeResponseMessage } from '@tillbridge/wire/terminals/abecs/message.js';
import { decodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import { COMMANDS } from '@tillbridge/wire/terminals/idtech/commands.js';
import type { NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import { INITIAL_LINE_STATE, parseLine } from '@tillbridge/wire/terminals/idtech/line.js';
import { decodeObjects } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { TEMPLATES } from '@tillbridge/wire/terminals/idtech/tags.js';
import { lineFraming } from '@tillbridge/wire/terminals/magtek/line-framing.js';
import { decodeMessage as decodeMms } from '@tillbridge/wire/terminals/magtek/message.js';
import { INITIAL_PACKET_STATE, parsePackets } from '@tillbridge/wire/terminals/miura/packet.js';
import { decodeResponse } from '@tillbridge/wire/terminals/miura/responses.js';
import {
  INITIAL_FRAME_STATE as NEWLAND,
  parseFrames as parseNewland,
} from '@tillbridge/wire/terminals/newland/frame.js';
import { isNotification } from '@tillbridge/wire/terminals/newland/functions.js';
import { answerType, decodeMessage, MESSAGES } from '@tillbridge/wire/terminals/newland/messages.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { type LinkState, newLink, stepLink } from '@tillbridge/wire/terminals/verifone/link.js';
import { decodeMessage as decodeSdi } from '@tillbridge/wire/terminals/verifone/messages.js';
import { attempt, isFailed } from '../drivers/core/result.js';

/** A message of a device: its form, free of values, and the bytes in which masked account data are looked for. */
export interface SeenMessage {
  readonly form: string;
  readonly content: Buffer;
}

/** Takes what a device sent; keeps what is not whole yet. */
type MessageReader = (bytes: Uint8Array) => readonly SeenMessage[];

/** A reader of the line of a model. It only listens: it confirms nothing. */
export function messageReader(deviceType: DeviceType, transport: Transport): MessageReader {
  const read = READERS[deviceType](transport);
  return (bytes) => {
    try {
      return read(bytes);
    } catch {
      return [{ form: 'unreadable message', content: Buffer.alloc(0) }];
    }
  };
}

const READERS: Readonly<Record<DeviceType, (transport: Transport) => MessageReader>> = {
  GERTEC_PPC930: () => parsed(ABECS, parseFrames, (event) => event.kind === 'packet' && gertec(event.data)),
  IDTECH_VP6800: (transport) =>
    parsed(
      INITIAL_LINE_STATE,
      (state, bytes: Uint8Array) => parseLine(lineOf(transport), 'device', state, bytes),
      (event) => event.kind === 'frame' && idtech(event.frame),
    ),
  MAGTEK_DYNAFLEX: (transport) => {
    const { initial, parse } = lineFraming(lineOf(transport), 'to-device');
    return parsed(initial, parse, (event) => event.kind === 'message' && magtek(event.bytes));
  },
  MIURA_M020: () =>
    parsed(INITIAL_PACKET_STATE, parsePackets, (event) => event.kind === 'message' && miura(event.message)),
  NEWLAND_P180: () => parsed(NEWLAND, parseNewland, (event) => event.kind === 'frame' && newland(event.data)),
  VERIFONE_P400: (transport) =>
    parsed(
      newLink(transport === 'tcp' ? 'B' : 'A', MAX_SDI_BYTES),
      (state: LinkState, bytes: Uint8Array) => {
        const { state: next, effects } = stepLink(state, { kind: 'bytes', bytes });
        return { state: next, events: effects };
      },
      (effect) => effect.kind === 'message' && verifone(effect.message),
    ),
};

const MAX_SDI_BYTES = 65_536;

function lineOf(transport: Transport): 'hid' | 'serial' {
  return transport === 'hid' ? 'hid' : 'serial';
}

function parsed<S, E>(
  initial: S,
  parse: (state: S, bytes: Uint8Array) => { readonly state: S; readonly events: readonly E[] },
  form: (event: E) => SeenMessage | false,
): MessageReader {
  let state = initial;
  return (bytes) => {
    const step = parse(state, bytes);
    state = step.state;
    return step.events.map(form).filter((seen) => seen !== false);
  };
}

function gertec(data: Buffer): SeenMessage {
  const { id, status, blocks } = decodeResponseMessage(data);
  const form = `${id} ${String(status).padStart(3, '0')}`;
  return {
    form: TLV_ANSWERS.has(id) && blocks.length > 0 ? `${form} ${parameters(blocks)}` : form,
    content: data,
  };
}

/** The answers of ABECS whose parameters have an id. */
const TLV_ANSWERS: ReadonlySet<string> = new Set(['GIX', 'GCX', 'GTK', 'GOX', 'FCX']);

function parameters(blocks: readonly Uint8Array[]): string {
  const ids = decodeParameters(blocks).map(
    ({ id, value }) => hex(id, 4) + (value.length === 0 ? ' empty' : ''),
  );
  return `{${ids.join(',')}}`;
}

function idtech({ command, second, data }: NeoFrame): SeenMessage {
  const templates = CARD_COMMANDS.has(command) ? templatesOf(data) : '';
  return { form: joined(`${hex(command, 2)} status ${hex(second, 2)}`, templates), content: data };
}

/** ACTIVATE TRANSACTION and what goes on with it. */
const CARD_COMMANDS: ReadonlySet<number> = new Set([
  COMMANDS.activate.command,
  COMMANDS.authenticate.command,
]);
const NESTING: ReadonlySet<string> = new Set(Object.values(TEMPLATES));

/** The templates in an answer of a card, behind its attribution; none where it has no objects. */
function templatesOf(data: Buffer): string {
  const objects = attempt('answer', () => decodeObjects(data.subarray(1)));
  if (isFailed(objects)) return '';
  return objects
    .map(({ tag }) => tag)
    .filter((tag) => NESTING.has(tag))
    .join(',');
}

function magtek(bytes: Buffer): SeenMessage {
  const message = decodeMms(bytes);
  if (message.kind === 'request') return { form: `request ${hex(message.command, 4)}`, content: bytes };
  if (message.kind === 'notification') {
    const { id, detail, payload } = message;
    return { form: joined(`notification ${hex(id, 4)} ${detail}`, objectOf(payload)), content: bytes };
  }
  const { command, status } = message;
  return { form: `${hex(command, 4)} status ${hex(status.detail, 6)}`, content: bytes };
}

/** Bytes of a notification's number, and of the length of a transaction's object. */
const [ID_BYTES, LENGTH_BYTES] = [2, 2];

/** The templates of a transaction's object; a MAC stands behind it. */
function objectOf(payload: Buffer): string {
  const object = findTlv(decodeTlvPartly(payload.subarray(ID_BYTES)).nodes, '84');
  return object ? named(decodeTlvPartly(object.subarray(LENGTH_BYTES)).nodes.slice(0, 1), 'templates') : '';
}

function miura({ unsolicited, apdu }: { unsolicited: boolean; apdu: Buffer }): SeenMessage {
  const { sw, data } = decodeResponse(apdu);
  const objects = tree(data, unsolicited ? 'objects' : 'templates');
  return { form: joined(`${unsolicited ? 'notification' : 'answer'} ${hex(sw, 4)}`, objects), content: apdu };
}

const LEVEL_3 = answerType(MESSAGES.level3.type);

/** Two digits at the beginning of an answer, behind the function's id in those of the L3 module; STATUS has none. */
function newland(data: Buffer): SeenMessage {
  const { type, body } = decodeMessage(data);
  const [id = 0, first = 0] = body;
  const isLevel3 = type === LEVEL_3;
  const name = isLevel3 ? `${type} function ${hex(id, 2)}` : type;
  if (isLevel3 && isNotification(id)) return { form: `notification ${name} ${hex(first, 2)}`, content: data };
  const [code = ''] = /^\d\d/.exec(body.toString('latin1', isLevel3 ? 1 : 0)) ?? [];
  return { form: joined(name, code && `code ${code}`), content: data };
}

function verifone(bytes: Buffer): SeenMessage {
  const { kind, sw, data } = decodeSdi(bytes);
  const objects = tree(data, kind === 'answer' ? 'templates' : 'objects');
  return { form: joined(`${kind} ${hex(sw, 4)}`, objects), content: bytes };
}

/** The tags of templates with what they hold; of objects outside of them nothing where only `templates` are wanted. */
function tree(data: Uint8Array, what: 'templates' | 'objects'): string {
  return named(decodeTlvPartly(data).nodes, what);
}

function named(nodes: readonly TlvNode[], what: 'templates' | 'objects'): string {
  const names = nodes.flatMap((node) => {
    if ('children' in node) return [`${node.tag}{${named(node.children, what)}}`];
    return what === 'objects' ? [node.tag] : [];
  });
  return names.join(',');
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
