import type { FrameEvent } from '@tillbridge/protocol/terminals/magtek/framing.js';
import {
  encodeReports,
  INITIAL_REPORT_STATE,
  PACKET_TYPES,
  parseReport,
} from '@tillbridge/protocol/terminals/magtek/hid-packets.js';
import { encodeSlip, INITIAL_SLIP_STATE, parseSlip } from '@tillbridge/protocol/terminals/magtek/slip.js';
import type { LineStyle } from '../../faults/fault-registry.js';

/** Framing as the device's end of a line sees it. */
export interface DeviceFraming {
  readonly style: LineStyle;
  /** The messages in what a host sent. */
  receive(bytes: Uint8Array): readonly FrameEvent[];
  /** The pieces of a message, each to be written alone. */
  frames(message: Uint8Array): readonly Uint8Array[];
  /** Forgets half a message. */
  reset(): void;
}

/** A packet type that no report has. USB checks every report: what comes damaged was built wrong by the device. */
const UNKNOWN_PACKET = 0xff ^ PACKET_TYPES.single;

function bendReport(report: Uint8Array): Uint8Array {
  const bent = Uint8Array.from(report);
  bent[0] = UNKNOWN_PACKET;
  return bent;
}

/** Reports of 64 bytes. */
function hidFraming(): DeviceFraming {
  let state = INITIAL_REPORT_STATE;
  return {
    style: { reports: true, corrupt: bendReport },
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

/** SLIP on a serial line. */
function slipFraming(): DeviceFraming {
  let state = INITIAL_SLIP_STATE;
  return {
    style: {},
    receive(bytes) {
      const parsed = parseSlip(state, bytes, 'to-device');
      state = parsed.state;
      return parsed.events;
    },
    frames: (message) => [encodeSlip('to-host', message)],
    reset() {
      state = INITIAL_SLIP_STATE;
    },
  };
}

/** The framing that belongs to a transport. */
export function deviceFraming(transport: 'hid' | 'serial'): DeviceFraming {
  return transport === 'hid' ? hidFraming() : slipFraming();
}
