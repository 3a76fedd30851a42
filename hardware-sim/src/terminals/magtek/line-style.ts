import { PACKET_TYPES } from '@tillbridge/wire/terminals/magtek/hid-packets.js';
import type { MmsTransport } from '@tillbridge/wire/terminals/magtek/line-framing.js';
import type { LineStyle } from '../../faults/fault-registry.js';

/** A packet type that no report has. USB checks every report: what comes damaged was built wrong by the device. */
const UNKNOWN_PACKET = 0xff ^ PACKET_TYPES.single;

function bendReport(report: Uint8Array): Uint8Array {
  const bent = Uint8Array.from(report);
  bent[0] = UNKNOWN_PACKET;
  return bent;
}

/** How line faults act on the frames of a transport. */
export function lineStyleOf(transport: MmsTransport): LineStyle {
  return transport === 'hid' ? { reports: true, corrupt: bendReport } : {};
}
