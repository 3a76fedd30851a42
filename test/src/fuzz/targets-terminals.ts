import { isDeepStrictEqual } from 'node:util';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import { decodeAccountData } from '@tillbridge/wire/terminals/abecs/account-data.js';
import { encodePacket, INITIAL_FRAME_STATE, parseFrames } from '@tillbridge/wire/terminals/abecs/framing.js';
import {
  decodeCommandMessage,
  decodeResponseMessage,
  encodeCommandMessage,
  encodeResponseMessage,
} from '@tillbridge/wire/terminals/abecs/message.js';
import { decodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import {
  decodeSecureOpen,
  encipherChannelKey,
  encodeSecureOpen,
} from '@tillbridge/wire/terminals/abecs/secure-open.js';
import { openMessage, sealMessage } from '@tillbridge/wire/terminals/abecs/secure-packet.js';
import { decodeTableRecord, splitTableRecords } from '@tillbridge/wire/terminals/abecs/tables.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { decodeCommand } from '@tillbridge/wire/terminals/miura/commands.js';
import { readMaskedTrack2 } from '@tillbridge/wire/terminals/miura/masked-track.js';
import { INITIAL_PACKET_STATE, parsePackets } from '@tillbridge/wire/terminals/miura/packet.js';
import { decodeReport } from '@tillbridge/wire/terminals/miura/reports.js';
import { decodeResponse } from '@tillbridge/wire/terminals/miura/responses.js';
import { fuzzTargets, PropertyError } from './target.js';

const PARAMETER_BLOCK = fromHex('0015000101001900020005');
const COMMAND = encodeCommandMessage({ id: 'GTK', blocks: [PARAMETER_BLOCK, Buffer.from('51')] });
const RESPONSE = encodeResponseMessage({ id: 'GOX', status: 0, blocks: [PARAMETER_BLOCK] });

/** The same bytes in one piece and in two must give the same frames; `read` gives those of the pieces in turn. */
export function sameHoweverCut(
  input: Uint8Array,
  read: (pieces: readonly Uint8Array[]) => readonly unknown[],
): void {
  const half = input.length >> 1;
  if (!isDeepStrictEqual(read([input]), read([input.subarray(0, half), input.subarray(half)])))
    throw new PropertyError('the same bytes in two pieces give other frames');
}

function miuraMessages(pieces: readonly Uint8Array[]): readonly unknown[] {
  let state = INITIAL_PACKET_STATE;
  return pieces.flatMap((piece) => {
    const parsed = parsePackets(state, piece);
    state = parsed.state;
    return parsed.events.flatMap((event) => (event.kind === 'message' ? [event.message] : []));
  });
}

const MIURA_RESET = '010004D0000000D5';
const CHANNEL_KEY = Buffer.alloc(16, 1);
const MIURA_START =
  '01002DDED1000028E0269C01009F02060000000010009A032611209F2103120000DFA2040101DFA20301005F2A020978FA';

/** Readers of what terminals send, and of what their simulated simulated devices receive. */
export const TERMINAL_TARGETS = fuzzTargets([TerminalFormatError], {
  'abecs/frames': {
    corpus: [
      encodePacket(COMMAND),
      encodePacket(RESPONSE),
      Buffer.concat([encodePacket(COMMAND), fromHex('0615')]),
    ],
    refusals: [],
    run: (input) => {
      const whole = parseFrames(INITIAL_FRAME_STATE, input);
      const half = input.length >> 1;
      const first = parseFrames(INITIAL_FRAME_STATE, input.subarray(0, half));
      const second = parseFrames(first.state, input.subarray(half));
      const packets = (events: typeof whole.events) => events.filter(({ kind }) => kind !== 'garbage');
      if (!isDeepStrictEqual(packets(whole.events), packets([...first.events, ...second.events])))
        throw new PropertyError('the same bytes in two pieces give other packets');
    },
  },
  'abecs/command': {
    corpus: [COMMAND],
    run: (input) => decodeParameters(decodeCommandMessage(input).blocks),
  },
  'abecs/response': {
    corpus: [RESPONSE],
    run: (input) => decodeParameters(decodeResponseMessage(input).blocks),
  },
  'abecs/tables': {
    corpus: [Buffer.from(`01284101${'01'.repeat(140)}`), Buffer.from('02012401000101201')],
    run: (input) => splitTableRecords(input).map(decodeTableRecord),
  },
  'abecs/table-record': {
    corpus: [Buffer.from(`314101${'01'.repeat(154)}`), Buffer.from(`61120201${'A0'.repeat(300)}`)],
    run: decodeTableRecord,
  },
  'abecs/account-data': {
    corpus: [fromHex('4111111111111111D31122010000000F'), fromHex('4111111111111111')],
    run: decodeAccountData,
  },
  'abecs/channel': {
    corpus: [sealMessage(CHANNEL_KEY, COMMAND), sealMessage(CHANNEL_KEY, RESPONSE)],
    run: (input) => openMessage(CHANNEL_KEY, input),
  },
  'abecs/channel-request': {
    corpus: [encodeSecureOpen({ modulus: Buffer.alloc(256, 0xa5), exponent: Buffer.of(1, 0, 1) })],
    run: (input) => encipherChannelKey(decodeSecureOpen(input), CHANNEL_KEY, Buffer.alloc(237, 1)),
  },
  'miura/packets': {
    corpus: [fromHex(MIURA_RESET), fromHex(MIURA_START), fromHex(`${MIURA_RESET}FF${MIURA_RESET}`)],
    refusals: [],
    run: (input) => sameHoweverCut(input, miuraMessages),
  },
  'miura/command': {
    corpus: [fromHex(MIURA_RESET).subarray(3, -1), fromHex(MIURA_START).subarray(3, -1)],
    run: decodeCommand,
  },
  'miura/response': {
    corpus: ['E10448020302', 'E005DFA205011B', 'E610C30102C40650494E204F4BDFA1020102'].map((report) =>
      fromHex(`${report}9000`),
    ),
    refusals: [TerminalFormatError, TlvError],
    run: (input) => decodeReport(decodeResponse(input).data),
  },
  'miura/masked-track': {
    corpus: [Buffer.from(';420000******0075=3112101*******?*')],
    refusals: [],
    run: (input) => readMaskedTrack2(Buffer.from(input).toString('latin1')),
  },
});
