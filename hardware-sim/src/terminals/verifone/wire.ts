import { COMMANDS, type CommandName, commandOf } from '@tillbridge/wire/terminals/verifone/commands.js';
import {
  type FrameAEvent,
  INITIAL_FRAME_A,
  parseTypeA,
} from '@tillbridge/wire/terminals/verifone/frame-a.js';
import {
  type FrameBEvent,
  INITIAL_FRAME_B,
  MAX_COMMAND_BYTES,
  parseTypeB,
} from '@tillbridge/wire/terminals/verifone/frame-b.js';
import {
  decodeCommand,
  decodeMessage,
  EMV_REQUEST,
  isReply,
} from '@tillbridge/wire/terminals/verifone/messages.js';
import { statusOf } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { COL_CONTAINER, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { swText } from '../../kernel/kernel-error.js';
import { decodedOr } from '../core/decoded.js';
import { tlvText } from '../core/tlv-text.js';
import { objectTree } from '../wire/object-tree.js';
import { control, DAMAGED, type WireDirection, type WireMessage } from '../wire/wire-message.js';
import { plainFraming, type WireReader, wireReader } from '../wire/wire-reader.js';

/** Values that are never shown. */
const HIDDEN: ReadonlySet<string> = new Set([TAGS.obfuscatedTrack2, TAGS.encryptedData, TAGS.pinBlock]);

/** Reads a line of SDI: frames of type B over TCP, of type A over anything else. */
export function verifoneWire(transport: string): WireReader {
  return transport === 'tcp' ? typeBWire() : typeAWire();
}

function typeBWire(): WireReader {
  return wireReader(
    {
      initial: INITIAL_FRAME_B,
      parse: (_, state, bytes) => parseTypeB(state, bytes, MAX_COMMAND_BYTES),
      atRest: (state) => state.kind === 'open' && state.rest.length === 0,
    },
    (direction, event: FrameBEvent) =>
      event.kind === 'message' ? wireMessage(direction, event.message) : { ...DAMAGED, text: event.reason },
  );
}

/** Blocks that are not the last of their message are separate frames. */
function typeAWire(): WireReader {
  const parts: Record<WireDirection, Buffer[]> = { in: [], out: [] };
  const meaning = (direction: WireDirection, event: FrameAEvent): WireMessage => {
    if (event.kind === 'damaged') return DAMAGED;
    if (event.kind !== 'block') return control(event.kind.toUpperCase());
    const { number, last, data } = event;
    if (number === 0) parts[direction] = [];
    parts[direction].push(data);
    if (!last) return { kind: 'message', text: `block ${number}, more follow` };
    const message = Buffer.concat(parts[direction]);
    parts[direction] = [];
    return wireMessage(direction, message);
  };
  return wireReader(plainFraming(INITIAL_FRAME_A, parseTypeA), meaning);
}

function wireMessage(direction: WireDirection, message: Buffer): WireMessage {
  return decodedOr(
    () => (direction === 'in' ? fromHost(message) : fromDevice(message)),
    (error): WireMessage => ({ kind: 'damaged', text: error.message }),
  );
}

function fromHost(message: Buffer): WireMessage {
  if (isReply(message)) return withObjects('reply', message.subarray(2));
  const { cla, ins, data } = decodeCommand(message);
  const name = commandOf(cla, ins);
  if (!(name in COMMANDS)) return { kind: 'message', text: 'unknown command' };
  const title = COMMANDS[name as CommandName].name;
  // A list of tags and lengths in place of a container.
  const isList = data[0] === Number.parseInt(COL_CONTAINER, 16);
  return isList ? { kind: 'message', text: `${title} list` } : withObjects(title, data);
}

function fromDevice(message: Buffer): WireMessage {
  const { sw, data } = decodeMessage(message);
  return withObjects(`${swText(sw)} ${sw === EMV_REQUEST ? 'request' : statusOf(sw).meaning}`, data);
}

function withObjects(title: string, data: Uint8Array): WireMessage {
  const text = `${title} ${tlvText(data, HIDDEN)}`.trimEnd();
  return { kind: 'message', text, objects: () => objectTree(data, HIDDEN) };
}
