import type { MachineStep } from '@tillbridge/wire/machine-step.js';
import {
  ACK,
  CAN,
  EOT,
  encodePacket,
  type FrameParserState,
  INITIAL_FRAME_STATE,
  insidePacket,
  NAK,
  parseFrames,
} from '@tillbridge/wire/terminals/abecs/framing.js';
import { INTER_BYTE_TIMEOUT_MS, RESYNC_SILENCE_MS } from '@tillbridge/wire/terminals/abecs/link-limits.js';

/** Where the device's end of the line stands (ABECS 2.12 §6.2.1). */
interface DeviceLinkState {
  readonly frames: FrameParserState;
  /** After a damaged packet everything is dropped until the line is silent; then NAK. */
  readonly resyncing: boolean;
  /** The last packet sent, for NAK. */
  readonly lastSent: Buffer | undefined;
}

/** A line on which nothing has happened. */
export const INITIAL_LINK_STATE: DeviceLinkState = {
  frames: INITIAL_FRAME_STATE,
  resyncing: false,
  lastSent: undefined,
};

/** What happens on the line. */
export type DeviceLinkEvent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The timer that the last effects set has run out. */
  | { readonly kind: 'silence' }
  /** The device has an answer or a notification for the host. */
  | { readonly kind: 'answer'; readonly data: Uint8Array };

/** What the owner of the link does. A new `timer` replaces the former one; undefined stops it. */
type DeviceLinkEffect =
  | { readonly kind: 'write'; readonly bytes: Buffer }
  | { readonly kind: 'command'; readonly data: Buffer }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'timer'; readonly delayMs: number | undefined };

type Step = MachineStep<DeviceLinkState, DeviceLinkEffect>;

/** The device's end of the link: confirms, refuses, repeats and cancels. Pure. */
export function deviceLink(state: DeviceLinkState, event: DeviceLinkEvent): Step {
  switch (event.kind) {
    case 'answer': {
      const packet = encodePacket(event.data);
      return { state: { ...state, lastSent: packet }, effects: [{ kind: 'write', bytes: packet }] };
    }
    case 'silence':
      return {
        state: { ...state, frames: INITIAL_FRAME_STATE, resyncing: false },
        effects: [{ kind: 'write', bytes: Buffer.from([NAK]) }],
      };
    case 'bytes':
      return state.resyncing ? dropBytes(state, event.bytes) : readBytes(state, event.bytes);
  }
}

/** CAN is taken during resynchronisation, too: the host may cancel at any time. */
function dropBytes(state: DeviceLinkState, bytes: Uint8Array): Step {
  if (!bytes.includes(CAN)) return { state, effects: [{ kind: 'timer', delayMs: RESYNC_SILENCE_MS }] };
  return {
    state: { ...state, frames: INITIAL_FRAME_STATE, resyncing: false },
    effects: [...cancelled(), { kind: 'timer', delayMs: undefined }],
  };
}

function cancelled(): DeviceLinkEffect[] {
  return [{ kind: 'cancel' }, { kind: 'write', bytes: Buffer.from([EOT]) }];
}

function readBytes(state: DeviceLinkState, bytes: Uint8Array): Step {
  const { state: frames, events } = parseFrames(state.frames, bytes);
  const effects: DeviceLinkEffect[] = [];
  for (const event of events) {
    switch (event.kind) {
      case 'packet':
        effects.push({ kind: 'write', bytes: Buffer.from([ACK]) }, { kind: 'command', data: event.data });
        break;
      case 'can':
        effects.push(...cancelled());
        break;
      case 'nak':
        if (state.lastSent) effects.push({ kind: 'write', bytes: state.lastSent });
        break;
      case 'bad-crc':
      case 'oversize':
        effects.push({ kind: 'timer', delayMs: RESYNC_SILENCE_MS });
        return { state: { ...state, frames: INITIAL_FRAME_STATE, resyncing: true }, effects };
      default:
    }
  }
  effects.push({ kind: 'timer', delayMs: insidePacket(frames) ? INTER_BYTE_TIMEOUT_MS : undefined });
  return { state: { ...state, frames }, effects };
}
