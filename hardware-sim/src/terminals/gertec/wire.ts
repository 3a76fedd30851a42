import {
  type FrameEvent,
  INITIAL_FRAME_STATE,
  parseFrames,
} from '@tillbridge/wire/terminals/abecs/framing.js';
import { isSealed } from '@tillbridge/wire/terminals/abecs/secure-packet.js';
import { control, DAMAGED, type WireDirection, type WireMessage } from '../wire/wire-message.js';
import { type WireReader, wireReader } from '../wire/wire-reader.js';
import { answerText, answerTree, commandText, commandTree } from './frame-text.js';

/** Control bytes by event. */
const CONTROLS: Partial<Record<FrameEvent['kind'], string>> = {
  ack: 'ACK',
  nak: 'NAK',
  can: 'CAN',
  eot: 'EOT',
};

/** Reads a line of ABECS. What was enciphered stays so. */
export function gertecWire(): WireReader {
  return wireReader(
    {
      initial: INITIAL_FRAME_STATE,
      parse: (_, state, bytes) => parseFrames(state, bytes),
      atRest: ({ phase }) => phase === 'idle',
    },
    meaning,
  );
}

function meaning(direction: WireDirection, event: FrameEvent): WireMessage {
  if (event.kind !== 'packet') {
    const name = CONTROLS[event.kind];
    return name === undefined ? { ...DAMAGED, text: damage(event) } : control(name);
  }
  const { data } = event;
  if (isSealed(data)) return { kind: 'message', text: `enciphered packet (${data.length} bytes)` };
  return direction === 'in'
    ? { kind: 'message', text: commandText(data), objects: () => commandTree(data) }
    : { kind: 'message', text: answerText(data), objects: () => answerTree(data) };
}

function damage(event: FrameEvent): string {
  if (event.kind === 'bad-crc') return 'wrong CRC';
  if (event.kind === 'garbage') return `${event.length} bytes outside a packet`;
  return event.kind === 'torn' ? 'a packet that was cut off' : 'more than a packet may carry';
}
