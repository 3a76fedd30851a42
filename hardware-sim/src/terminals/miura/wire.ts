import { COMMANDS, decodeCommand } from '@tillbridge/wire/terminals/miura/commands.js';
import {
  INITIAL_PACKET_STATE,
  type MiuraMessage,
  type PacketEvent,
  parsePackets,
} from '@tillbridge/wire/terminals/miura/packet.js';
import { decodeResponse } from '@tillbridge/wire/terminals/miura/responses.js';
import { STATUSES, statusOf } from '@tillbridge/wire/terminals/miura/statuses.js';
import { TAGS } from '@tillbridge/wire/terminals/miura/tags.js';
import { swText } from '../../kernel/kernel-error.js';
import { decoded } from '../core/decoded.js';
import { tlvText } from '../core/tlv-text.js';
import { objectTree } from '../wire/object-tree.js';
import { DAMAGED, type WireDirection, type WireMessage } from '../wire/wire-message.js';
import { type WireReader, wireReader } from '../wire/wire-reader.js';

/** Values that are never shown. */
const HIDDEN: ReadonlySet<string> = new Set([
  TAGS.maskedChipTrack2,
  TAGS.maskedMagstripeTrack2,
  TAGS.sredData,
  TAGS.pinData,
]);
/** Commands that wait for their answers. */
const MAX_WAITING = 8;

/** Reads a line of MPI: an answer has the name of its command, which it does not say itself. */
export function miuraWire(): WireReader {
  const waiting: string[] = [];
  const meaning = (direction: WireDirection, event: PacketEvent): WireMessage => {
    if (event.kind === 'damaged') {
      // The answer came, though it cannot be read.
      if (direction === 'out') waiting.shift();
      return DAMAGED;
    }
    const { message } = event;
    if (direction === 'in') {
      const command = commandMessage(message.apdu);
      if (command.isAnswered) waiting.push(command.name);
      if (waiting.length > MAX_WAITING) waiting.shift();
      return command.message;
    }
    return message.unsolicited ? report(message) : answer(message, waiting.shift());
  };
  const parse = (_: WireDirection, state: typeof INITIAL_PACKET_STATE, bytes: Uint8Array) =>
    parsePackets(state, bytes);
  const atRest = ({ rest, chain }: typeof INITIAL_PACKET_STATE) => rest.length === 0 && chain === undefined;
  return wireReader({ initial: INITIAL_PACKET_STATE, parse, atRest }, meaning);
}

/** CARD STATUS is answered by a report. */
function commandMessage(apdu: Buffer): {
  readonly name: string;
  readonly isAnswered: boolean;
  readonly message: WireMessage;
} {
  const command = decoded(() => decodeCommand(apdu));
  if (command?.command === undefined)
    return { name: 'answer', isAnswered: true, message: { kind: 'message', text: 'unknown command' } };
  const { name } = COMMANDS[command.command];
  const isAnswered = command.command !== 'cardStatus';
  return { name, isAnswered, message: withObjects(name, command.data) };
}

function answer({ apdu }: MiuraMessage, name = 'answer'): WireMessage {
  const { data, sw } = decodeResponse(apdu);
  return withObjects(`${name} ${swText(sw)} ${statusOf(sw).meaning}`, data);
}

function report({ apdu }: MiuraMessage): WireMessage {
  const { data, sw } = decodeResponse(apdu);
  if (sw !== STATUSES.ok.code) return { kind: 'message', text: statusOf(sw).meaning };
  return withObjects('status', data);
}

function withObjects(title: string, data: Uint8Array): WireMessage {
  const text = `${title} ${tlvText(data, HIDDEN)}`.trimEnd();
  return { kind: 'message', text, objects: () => objectTree(data, HIDDEN) };
}
