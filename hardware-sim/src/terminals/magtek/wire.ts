import type { FrameEvent } from '@tillbridge/wire/terminals/magtek/framing.js';
import { REPORT_BYTES } from '@tillbridge/wire/terminals/magtek/hid-packets.js';
import { lineFraming } from '@tillbridge/wire/terminals/magtek/line-framing.js';
import { decodeMessage } from '@tillbridge/wire/terminals/magtek/message.js';
import { decodedOr } from '../core/decoded.js';
import { DAMAGED, type WireMessage } from '../wire/wire-message.js';
import { type WireReader, wireReader } from '../wire/wire-reader.js';
import { messageText, messageTree } from './frame-text.js';

/** Reads a line of MMS: reports over HID, SLIP over anything else. */
export function magtekWire(transport: string): WireReader {
  const kind = transport === 'hid' ? 'hid' : 'serial';
  const fromHost = lineFraming(kind, 'to-host');
  const fromDevice = lineFraming(kind, 'to-device');
  return wireReader(
    {
      initial: fromHost.initial,
      parse: (direction, state, bytes) => (direction === 'in' ? fromHost : fromDevice).parse(state, bytes),
      atRest: (state) => ('rest' in state ? state.rest.length === 0 : state.assembly === undefined),
      ...(kind === 'hid' && { unitBytes: REPORT_BYTES }),
    },
    (_, event) => meaning(event),
  );
}

function meaning(event: FrameEvent): WireMessage {
  if (event.kind === 'damaged') return DAMAGED;
  if (event.kind === 'too-long') return { kind: 'control', text: `takes at most ${event.maxBytes} bytes` };
  return decodedOr(
    (): WireMessage => {
      const message = decodeMessage(event.bytes);
      return { kind: 'message', text: messageText(message), objects: () => messageTree(message) };
    },
    (error) => ({ kind: 'damaged', text: error.message }),
  );
}
