import type { MachineStep } from '../../machine-step.js';
import {
  ACK,
  encodeTypeA,
  type FrameAEvent,
  type FrameAState,
  INITIAL_FRAME_A,
  insideFrameA,
  NAK,
  parseTypeA,
} from './frame-a.js';
import { encodeTypeB, type FrameBState, INITIAL_FRAME_B, parseTypeB } from './frame-b.js';
import { ACK_TIMEOUT_MS, MAX_FRAME_SENDS, MAX_QUEUED_FRAMES, SILENCE_MS } from './link-limits.js';

type Block = Extract<FrameAEvent, { kind: 'block' }>;

/** A line of protocol type A: serial, every frame confirmed. */
interface LinkA {
  readonly type: 'A';
  readonly parser: FrameAState;
  /** The frame that waits for its confirmation, and those behind it. */
  readonly awaiting: { readonly frame: Buffer; readonly sends: number } | undefined;
  readonly queue: readonly Buffer[];
  /** The last good block, to know it again when it is repeated. */
  readonly last: Block | undefined;
  /** Blocks of a message that is not whole; the next one has the number of their count. */
  readonly parts: readonly Buffer[];
}

/** A line of protocol type B: TCP, nothing confirmed. */
interface LinkB {
  readonly type: 'B';
  readonly parser: FrameBState;
  readonly maxBytes: number;
}

/** Where a line stands; either end of it. */
export type LinkState = LinkA | LinkB;

/** What happens to a line. */
export type LinkEvent =
  | { readonly kind: 'send'; readonly message: Uint8Array }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** No confirmation within its time. */
  | { readonly kind: 'ack-late' }
  /** No byte for a while where one must follow. */
  | { readonly kind: 'silence' };

/** What is to be done. */
export type LinkEffect =
  /** `confirmable`: a confirmation is waited for from now on. */
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly confirmable: boolean }
  | { readonly kind: 'message'; readonly message: Buffer }
  /** A frame came damaged and was requested again. */
  | { readonly kind: 'damaged' }
  /** What was to be sent did not arrive, as far as anybody knows; what waited behind it is dropped. */
  | { readonly kind: 'unsent'; readonly reason: 'refused' | 'unconfirmed' | 'queue-full' }
  /** Type B has no way back: the connection must be closed. */
  | { readonly kind: 'broken'; readonly reason: string };

/** A timer of a line; one that is set while it runs begins anew. */
export type TimerEffect =
  | { readonly kind: 'set-timer'; readonly timer: LinkTimer; readonly ms: number }
  | { readonly kind: 'stop-timer'; readonly timer: LinkTimer };

/** The timers of a line, by the event that each brings when it has run out. */
export type LinkTimer = 'ack-late' | 'silence';

/** A step of a line. */
type LinkStep = MachineStep<LinkState, LinkEffect>;

/** A line that nothing happened on. @param maxBytes longest message that the other end may send over type B */
export function newLink(type: 'A' | 'B', maxBytes: number): LinkState {
  if (type === 'B') return { type, parser: INITIAL_FRAME_B, maxBytes };
  return { type, parser: INITIAL_FRAME_A, awaiting: undefined, queue: [], last: undefined, parts: [] };
}

/** What a line does about an event, and its timers. @throws TerminalFormatError for a message that no frame can hold */
export function stepTimedLink(
  state: LinkState,
  event: LinkEvent,
): MachineStep<LinkState, LinkEffect | TimerEffect> {
  const step = stepLink(state, event);
  const sent = step.effects.some((effect) => effect.kind === 'write' && effect.confirmable);
  const timers: TimerEffect[] = [];
  if (sent) timers.push({ kind: 'set-timer', timer: 'ack-late', ms: ACK_TIMEOUT_MS });
  else if (!awaitsConfirmation(step.state)) timers.push({ kind: 'stop-timer', timer: 'ack-late' });
  if (event.kind === 'bytes') {
    timers.push(
      expectsBytes(step.state)
        ? { kind: 'set-timer', timer: 'silence', ms: SILENCE_MS }
        : { kind: 'stop-timer', timer: 'silence' },
    );
  }
  return { state: step.state, effects: [...timers, ...step.effects] };
}

/** Whether bytes must follow those that came. */
export function expectsBytes(state: LinkState): boolean {
  return state.type === 'A' && (insideFrameA(state.parser) || state.parser.skipping);
}

/** Whether a confirmation is waited for. */
export function awaitsConfirmation(state: LinkState): boolean {
  return state.type === 'A' && state.awaiting !== undefined;
}

/** What a line does about an event. @throws TerminalFormatError for a message that no frame can hold */
export function stepLink(state: LinkState, event: LinkEvent): LinkStep {
  return state.type === 'A' ? stepA(state, event) : stepB(state, event);
}

function stepB(state: LinkB, event: LinkEvent): LinkStep {
  if (event.kind === 'send') {
    return { state, effects: [{ kind: 'write', bytes: encodeTypeB(event.message), confirmable: false }] };
  }
  if (event.kind !== 'bytes') return { state, effects: [] };
  const { state: parser, events } = parseTypeB(state.parser, event.bytes, state.maxBytes);
  return { state: { ...state, parser }, effects: events };
}

type StepA = MachineStep<LinkA, LinkEffect>;

const ACKNOWLEDGE: LinkEffect = { kind: 'write', bytes: Buffer.of(ACK), confirmable: false };
const REFUSE: LinkEffect = { kind: 'write', bytes: Buffer.of(NAK), confirmable: false };

function stepA(state: LinkA, event: LinkEvent): StepA {
  switch (event.kind) {
    case 'send':
      return send(state, event.message);
    case 'bytes':
      return receive(state, event.bytes);
    case 'ack-late':
      return state.awaiting ? giveUp(state, 'unconfirmed') : { state, effects: [] };
    case 'silence': {
      const torn = insideFrameA(state.parser);
      return {
        state: { ...state, parser: INITIAL_FRAME_A },
        effects: torn ? [REFUSE, { kind: 'damaged' }] : [],
      };
    }
  }
}

function send(state: LinkA, message: Uint8Array): StepA {
  const queue = [...state.queue, ...encodeTypeA(message)];
  if (queue.length > MAX_QUEUED_FRAMES) return giveUp(state, 'queue-full');
  return next({ ...state, queue });
}

/** Sends the first frame that waits, when no other waits for its confirmation. */
function next(state: LinkA): StepA {
  const [frame, ...queue] = state.queue;
  if (state.awaiting || !frame) return { state, effects: [] };
  return {
    state: { ...state, queue, awaiting: { frame, sends: 1 } },
    effects: [{ kind: 'write', bytes: frame, confirmable: true }],
  };
}

function giveUp(state: LinkA, reason: 'refused' | 'unconfirmed' | 'queue-full'): StepA {
  return { state: { ...state, awaiting: undefined, queue: [] }, effects: [{ kind: 'unsent', reason }] };
}

function receive(state: LinkA, bytes: Uint8Array): StepA {
  const parsed = parseTypeA(state.parser, bytes);
  let now: LinkA = { ...state, parser: parsed.state };
  const effects: LinkEffect[] = [];
  for (const event of parsed.events) {
    const step = take(now, event);
    now = step.state;
    effects.push(...step.effects);
  }
  return { state: now, effects };
}

function take(state: LinkA, event: FrameAEvent): StepA {
  switch (event.kind) {
    case 'ack':
      return next({ ...state, awaiting: undefined });
    case 'nak':
      return repeat(state);
    case 'damaged':
      return { state, effects: [REFUSE, event] };
    case 'block':
      return takeBlock(state, event);
  }
}

function repeat(state: LinkA): StepA {
  const { awaiting } = state;
  if (!awaiting) return { state, effects: [] };
  if (awaiting.sends >= MAX_FRAME_SENDS) return giveUp(state, 'refused');
  return {
    state: { ...state, awaiting: { ...awaiting, sends: awaiting.sends + 1 } },
    effects: [{ kind: 'write', bytes: awaiting.frame, confirmable: true }],
  };
}

/**
 * The same block once more while ours is not confirmed, or in the middle of a message, is one whose confirmation was lost. Any
 * other block proves that ours arrived, even where its confirmation did not.
 */
function takeBlock(state: LinkA, block: Block): StepA {
  const again = state.last !== undefined && sameBlock(state.last, block);
  if (again && (state.awaiting || state.parts.length > 0)) return { state, effects: [ACKNOWLEDGE] };
  const sent = next({ ...state, awaiting: undefined, last: block });
  const joined = join(sent.state, block);
  return { state: joined.state, effects: [ACKNOWLEDGE, ...sent.effects, ...joined.effects] };
}

function sameBlock(a: Block, b: Block): boolean {
  return a.number === b.number && a.last === b.last && a.data.equals(b.data);
}

/** Blocks are numbered from 0; block 0 begins a message anew, any other must be the next. */
function join(state: LinkA, { number, last, data }: Block): StepA {
  const parts = number === 0 ? [] : state.parts;
  if (number !== parts.length) return { state: { ...state, parts: [] }, effects: [] };
  if (!last) return { state: { ...state, parts: [...parts, data] }, effects: [] };
  const message = Buffer.concat([...parts, data]);
  return { state: { ...state, parts: [] }, effects: [{ kind: 'message', message }] };
}
