import type { FrameEvent } from '@tillbridge/protocol/terminals/magtek/framing.js';
import {
  encodeReports,
  INITIAL_REPORT_STATE,
  parseReport,
} from '@tillbridge/protocol/terminals/magtek/hid-packets.js';
import { encodeSlip, INITIAL_SLIP_STATE, parseSlip } from '@tillbridge/protocol/terminals/magtek/slip.js';

/** How messages go over a line; a framing belongs to one open pipe. */
export interface HostFraming {
  /** The messages in what the device sent. */
  receive(bytes: Uint8Array): readonly FrameEvent[];
  /** The pieces of a message, each to be written alone. @throws TerminalFormatError */
  frames(message: Uint8Array): readonly Uint8Array[];
  /** Forgets half a message. */
  reset(): void;
}

/** Reports of 64 bytes (USB-HID). */
export function hidFraming(): HostFraming {
  let state = INITIAL_REPORT_STATE;
  return {
    receive(bytes) {
      const parsed = parseReport(state, bytes);
      state = parsed.state;
      return parsed.events;
    },
    frames: encodeReports,
    reset() {
      state = INITIAL_REPORT_STATE;
    },
  };
}

/** SLIP (serial line). */
export function slipFraming(): HostFraming {
  let state = INITIAL_SLIP_STATE;
  return {
    receive(bytes) {
      const parsed = parseSlip(state, bytes, 'to-host');
      state = parsed.state;
      return parsed.events;
    },
    frames: (message) => [encodeSlip('to-device', message)],
    reset() {
      state = INITIAL_SLIP_STATE;
    },
  };
}
