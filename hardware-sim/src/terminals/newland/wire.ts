import {
  type FrameEvent,
  INITIAL_FRAME_STATE,
  parseFrames,
} from '@tillbridge/wire/terminals/newland/frame.js';
import { decodeMessage } from '@tillbridge/wire/terminals/newland/messages.js';
import { decodedOr } from '../core/decoded.js';
import { control, DAMAGED, type WireDirection, type WireMessage } from '../wire/wire-message.js';
import { plainFraming, type WireReader, wireReader } from '../wire/wire-reader.js';
import { answerText, answerTree, requestText, requestTree } from './frame-text.js';

/** Reads a line of the Newland pin pad protocol. */
export function newlandWire(): WireReader {
  return wireReader(plainFraming(INITIAL_FRAME_STATE, parseFrames), meaning);
}

function meaning(direction: WireDirection, event: FrameEvent): WireMessage {
  if (event.kind === 'damaged') return DAMAGED;
  if (event.kind === 'cancel') return control('+++CANCEL');
  if (event.kind !== 'frame') return control(event.kind.toUpperCase());
  return decodedOr(
    (): WireMessage => {
      const message = decodeMessage(event.data);
      return direction === 'in'
        ? { kind: 'message', text: requestText(message), objects: () => requestTree(message) }
        : { kind: 'message', text: answerText(message), objects: () => answerTree(message) };
    },
    (error) => ({ kind: 'damaged', text: error.message }),
  );
}
