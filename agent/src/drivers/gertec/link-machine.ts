import type { MachineStep } from '@tillbridge/wire/machine-step.js';
import { CAN, type FrameEvent, NAK, SYN } from '@tillbridge/wire/terminals/abecs/framing.js';
import {
  ACK_TIMEOUT_MS,
  EOT_TIMEOUT_MS,
  INTER_BYTE_TIMEOUT_MS,
  MAX_CANCEL_SENDS,
  MAX_COMMAND_SENDS,
  MAX_DAMAGED_RESPONSES,
  RESPONSE_TIMEOUT_MS,
  RESYNC_SILENCE_MS,
} from '@tillbridge/wire/terminals/abecs/link-limits.js';
import { ERROR_RESPONSE_ID, NOTIFICATION_ID } from '@tillbridge/wire/terminals/abecs/message.js';

/** A command ready for the line. */
export interface LinkCommand {
  /** Three-character id: only its own answer, an error answer or a notification is taken. */
  readonly id: string;
  /** The encoded packet. */
  readonly packet: Uint8Array;
  /** How long the answer may take; a blocking command's guard, after which it is cancelled. */
  readonly answerWithinMs: number;
  /** Notifications may come before the answer, and the guard ends in CAN. */
  readonly blocking: boolean;
}

/** Timers of the link; setting a running one restarts it. */
export const LINK_TIMERS = ['ack', 'answer', 'byte', 'silence', 'eot'] as const;
export type LinkTimer = (typeof LINK_TIMERS)[number];

/** State of the line. */
export type LinkState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'sending'; readonly command: LinkCommand; readonly sends: number }
  | { readonly phase: 'waiting'; readonly command: LinkCommand; readonly damaged: number }
  /** Damaged bytes are skipped until the line is silent; then NAK requests the answer again. */
  | { readonly phase: 'resync'; readonly command: LinkCommand; readonly damaged: number }
  | { readonly phase: 'cancelling'; readonly sends: number; readonly because: 'requested' | 'guard' };

/** What happens to the line. */
export type LinkEvent =
  | { readonly kind: 'command'; readonly command: LinkCommand }
  | { readonly kind: 'cancel' }
  /** Bytes arrived; `inside`: they end inside a packet. Comes before the frames found in them. */
  | { readonly kind: 'bytes'; readonly inside: boolean }
  | { readonly kind: 'frame'; readonly frame: FrameEvent }
  | { readonly kind: 'timer'; readonly timer: LinkTimer };

/** How a command or a cancel ended. */
type LinkResult =
  | { readonly kind: 'answer'; readonly data: Buffer }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: LinkFailure };

/** Why a command failed on the line. */
export type LinkFailure =
  /** No ACK after every send. */
  | 'no-ack'
  /** NAK after every send. */
  | 'rejected'
  | 'no-answer'
  /** Every answer came damaged. */
  | 'damaged'
  /** No EOT after every CAN. */
  | 'no-eot';

/** What the line reports: the end of what was sent, or a notification before it. */
export type LinkMessage = LinkResult | { readonly kind: 'notification'; readonly data: Buffer };

/** What the owner does. */
export type LinkEffect =
  | { readonly kind: 'write'; readonly bytes: Uint8Array }
  | { readonly kind: 'set-timer'; readonly timer: LinkTimer; readonly ms: number }
  | { readonly kind: 'stop-timer'; readonly timer: LinkTimer }
  | { readonly kind: 'stop-timers' }
  /** Forget a packet that has begun. */
  | { readonly kind: 'reset-parser' }
  | { readonly kind: 'message'; readonly message: LinkMessage };

/** The next state and what to do, in order. */
type LinkStep = MachineStep<LinkState, LinkEffect>;

/** A line that is not in use. */
export const IDLE_LINK: LinkState = { phase: 'idle' };

const CAN_BYTE = Uint8Array.of(CAN);
const NAK_BYTE = Uint8Array.of(NAK);

function stay(state: LinkState, ...effects: readonly LinkEffect[]): LinkStep {
  return { state, effects };
}

function done(result: LinkResult): LinkStep {
  return { state: IDLE_LINK, effects: [{ kind: 'stop-timers' }, { kind: 'message', message: result }] };
}

function fail(reason: LinkFailure): LinkStep {
  return done({ kind: 'failed', reason });
}

function send(command: LinkCommand, sends: number): LinkStep {
  return stay(
    { phase: 'sending', command, sends },
    { kind: 'stop-timers' },
    { kind: 'write', bytes: command.packet },
    { kind: 'set-timer', timer: 'ack', ms: ACK_TIMEOUT_MS },
  );
}

function sendAgain(state: LinkState & { phase: 'sending' }, reason: LinkFailure): LinkStep {
  return state.sends < MAX_COMMAND_SENDS ? send(state.command, state.sends + 1) : fail(reason);
}

function waitFor(command: LinkCommand, damaged: number, ...effects: readonly LinkEffect[]): LinkStep {
  return stay({ phase: 'waiting', command, damaged }, { kind: 'stop-timers' }, ...effects, {
    kind: 'set-timer',
    timer: 'answer',
    ms: command.answerWithinMs,
  });
}

function cancel(sends: number, because: 'requested' | 'guard'): LinkStep {
  return stay(
    { phase: 'cancelling', sends, because },
    { kind: 'stop-timers' },
    { kind: 'reset-parser' },
    { kind: 'write', bytes: CAN_BYTE },
    { kind: 'set-timer', timer: 'eot', ms: EOT_TIMEOUT_MS },
  );
}

function damage(command: LinkCommand, damaged: number): LinkStep {
  if (damaged >= MAX_DAMAGED_RESPONSES) return fail('damaged');
  return stay(
    { phase: 'resync', command, damaged },
    { kind: 'stop-timers' },
    { kind: 'reset-parser' },
    { kind: 'set-timer', timer: 'silence', ms: RESYNC_SILENCE_MS },
    // A line that is never silent fails within the time of a plain answer.
    { kind: 'set-timer', timer: 'answer', ms: RESPONSE_TIMEOUT_MS },
  );
}

function packetId(data: Buffer): string {
  return data.toString('latin1', 0, 3);
}

function onPacket(state: LinkState & { command: LinkCommand }, data: Buffer): LinkStep {
  const id = packetId(data);
  if (id === NOTIFICATION_ID)
    return stay(state, { kind: 'message', message: { kind: 'notification', data } });
  // Anything else is the late answer to a command that was given up: it must not be taken for this one's.
  if (id !== state.command.id && id !== ERROR_RESPONSE_ID) return stay(state);
  return done({ kind: 'answer', data });
}

function onSendingFrame(state: LinkState & { phase: 'sending' }, frame: FrameEvent): LinkStep {
  if (frame.kind === 'ack') return waitFor(state.command, 0);
  if (frame.kind === 'nak') return sendAgain(state, 'rejected');
  // The answer itself proves that the command arrived: its ACK was lost.
  if (frame.kind === 'packet') return onPacket(state, frame.data);
  if (frame.kind === 'bad-crc') return damage(state.command, 1);
  return stay(state);
}

function onWaitingFrame(state: LinkState & { phase: 'waiting' }, frame: FrameEvent): LinkStep {
  if (frame.kind === 'packet') return onPacket(state, frame.data);
  if (frame.kind === 'bad-crc' || frame.kind === 'oversize') return damage(state.command, state.damaged + 1);
  return stay(state);
}

function onFrame(state: LinkState, frame: FrameEvent): LinkStep {
  if (state.phase === 'sending') return onSendingFrame(state, frame);
  if (state.phase === 'waiting') return onWaitingFrame(state, frame);
  if (state.phase === 'cancelling' && frame.kind === 'eot') {
    return state.because === 'requested' ? done({ kind: 'cancelled' }) : fail('no-answer');
  }
  // Idle: a late answer, ACK or EOT is ignored. Resync: everything is dropped until the line is silent.
  return stay(state);
}

function onBytes(state: LinkState, inside: boolean): LinkStep {
  if (state.phase === 'resync') {
    return stay(
      state,
      { kind: 'reset-parser' },
      { kind: 'set-timer', timer: 'silence', ms: RESYNC_SILENCE_MS },
    );
  }
  if (state.phase === 'idle') return stay(state);
  return stay(
    state,
    inside
      ? { kind: 'set-timer', timer: 'byte', ms: INTER_BYTE_TIMEOUT_MS }
      : { kind: 'stop-timer', timer: 'byte' },
  );
}

function onByteTimer(state: LinkState): LinkStep {
  if (state.phase === 'waiting') return damage(state.command, state.damaged + 1);
  return stay(state, { kind: 'reset-parser' });
}

function onAnswerTimer(state: LinkState): LinkStep {
  if (state.phase !== 'waiting' && state.phase !== 'resync') return stay(state);
  // CAN frees the device for the next command; its EOT shows that the device still works.
  return state.command.blocking && state.phase === 'waiting' ? cancel(1, 'guard') : fail('no-answer');
}

function onTimer(state: LinkState, timer: LinkTimer): LinkStep {
  switch (timer) {
    case 'ack':
      return state.phase === 'sending' ? sendAgain(state, 'no-ack') : stay(state);
    case 'answer':
      return onAnswerTimer(state);
    case 'byte':
      return onByteTimer(state);
    case 'silence':
      return state.phase === 'resync'
        ? waitFor(state.command, state.damaged, { kind: 'write', bytes: NAK_BYTE })
        : stay(state);
    case 'eot':
      if (state.phase !== 'cancelling') return stay(state);
      return state.sends < MAX_CANCEL_SENDS ? cancel(state.sends + 1, state.because) : fail('no-eot');
  }
}

/**
 * The host's side of the ABECS link (2.12 §2.2.2, §2.2.3): ACK within 2 s and at most 3 sends, damaged answers requested
 * again at most 3 times, CAN until EOT at most 3 times. Pure; a `command` in any other phase than idle is refused.
 * @throws Error when a command comes while another runs: its owner must wait
 */
export function linkStep(state: LinkState, event: LinkEvent): LinkStep {
  switch (event.kind) {
    case 'command':
      if (state.phase !== 'idle') throw new Error(`a command while the link is ${state.phase}`);
      if (event.command.packet[0] !== SYN) throw new Error('a command is a whole packet');
      return send(event.command, 1);
    case 'cancel':
      return state.phase === 'cancelling' ? stay(state) : cancel(1, 'requested');
    case 'bytes':
      return onBytes(state, event.inside);
    case 'frame':
      return onFrame(state, event.frame);
    case 'timer':
      return onTimer(state, event.timer);
  }
}
