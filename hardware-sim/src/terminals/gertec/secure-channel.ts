import { commandSpec } from '@tillbridge/wire/terminals/abecs/commands.js';
import { ERROR_RESPONSE_ID } from '@tillbridge/wire/terminals/abecs/message.js';
import {
  CHANNEL_FILL_BYTES,
  CHANNEL_KEY_BYTES,
  decodeSecureOpen,
  encipherChannelKey,
  encodeSecureOpenAnswer,
} from '@tillbridge/wire/terminals/abecs/secure-open.js';
import { isSealed, openMessage } from '@tillbridge/wire/terminals/abecs/secure-packet.js';
import type { StatusName } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import type { DeviceAnswer, DeviceContext } from './device-context.js';

const COMMAND_ID_BYTES = 3;
const OPEN = 'OPN';
/** Commands that end the channel; their answer comes in clear (ABECS 2.20 §5.2.2). */
const CLOSE: ReadonlySet<string> = new Set(['CLO', 'CLX']);

/** What came in a packet. */
type Received =
  | {
      readonly kind: 'command';
      readonly data: Uint8Array;
      /** The key under which its answer goes out; absent: in clear. */
      readonly answerKey?: Uint8Array;
      /** It ends the channel. */
      readonly ends: boolean;
    }
  /** Refused, in clear. */
  | { readonly kind: 'refused'; readonly id: string; readonly status: StatusName; readonly ends: boolean };

/** Reads a packet, in clear or enciphered, and refuses what comes in the other way (ABECS 2.20 §6.3.2). */
export function receivePacket(channelKey: Uint8Array | undefined, packet: Uint8Array): Received {
  if (!isSealed(packet)) {
    const id = commandId(packet);
    if (channelKey === undefined || id === OPEN) return { kind: 'command', data: packet, ends: id === OPEN };
    return refused(commandSpec(id) ? id : ERROR_RESPONSE_ID, 'ST_ERRPKTSEC', false);
  }
  if (channelKey === undefined) return refused(ERROR_RESPONSE_ID, 'ST_NOSEC', false);
  const data = opened(channelKey, packet);
  if (!data) return refused(ERROR_RESPONSE_ID, 'ST_ERRPKTSEC', true);
  const id = commandId(data);
  if (id === OPEN) return refused(OPEN, 'ST_INVCALL', true);
  return CLOSE.has(id)
    ? { kind: 'command', data, ends: true }
    : { kind: 'command', data, answerKey: channelKey, ends: false };
}

function refused(id: string, status: StatusName, ends: boolean): Received {
  return { kind: 'refused', id, status, ends };
}

function opened(channelKey: Uint8Array, packet: Uint8Array): Uint8Array | undefined {
  try {
    return openMessage(channelKey, packet);
  } catch (error) {
    if (error instanceof TerminalFormatError) return undefined;
    throw error;
  }
}

/** The id alone: a known command whose blocks are broken is answered under its own name (ABECS 2.12 §6.2.2). */
export function commandId(data: Uint8Array): string {
  return Buffer.from(data.subarray(0, COMMAND_ID_BYTES)).toString('latin1');
}

/** OPN with a public key: makes up the key of a channel and gives it to the host (ABECS 2.20 §5.2.1). @throws TerminalFormatError */
export function openChannel({ random, session }: DeviceContext, block: Uint8Array): DeviceAnswer {
  const host = decodeSecureOpen(block);
  const channelKey = random.bytes(CHANNEL_KEY_BYTES);
  const cryptogram = encipherChannelKey(host, channelKey, random.bytes(CHANNEL_FILL_BYTES));
  session.channelKey = channelKey;
  return [encodeSecureOpenAnswer(cryptogram)];
}
