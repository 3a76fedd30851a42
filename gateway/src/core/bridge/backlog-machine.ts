import type { Envelope, StreamKind } from '@tillbridge/wire/bridge/messages.js';
import type { MachineStep } from '@tillbridge/wire/machine-step.js';
import type { BridgeLimits } from './limits/bridge-limits.js';

/** A message of a terminal's stream. */
export type StreamEnvelope = Envelope<StreamKind>;

/** A message of a terminal's stream whose body this build cannot read: it is parked in its turn. */
interface UnreadableMessage {
  readonly kind: 'unreadable';
  readonly id: string;
  readonly terminalId: string;
  readonly sequence: number;
  /** Why it cannot be read, without its content. */
  readonly fault: string;
  /** As it came. */
  readonly bytes: Uint8Array;
}

/** What a stream may contain. */
export type StreamItem = StreamEnvelope | UnreadableMessage;

const STREAM_KINDS: Readonly<Record<StreamKind, true>> = {
  reversal: true,
  offlineRecord: true,
  capture: true,
  voiceAuthorization: true,
  cancelIfUnseen: true,
};

/** Whether the message belongs to a terminal's stream. */
export function isStreamEnvelope(envelope: Envelope): envelope is StreamEnvelope {
  return isStreamKind(envelope.kind);
}

/** Whether messages of this kind belong to a terminal's stream. */
export function isStreamKind(kind: string): kind is StreamKind {
  return Object.hasOwn(STREAM_KINDS, kind);
}

/** One terminal's stream within a session. */
interface StreamState {
  /** The next sequence to be handled. */
  readonly next: number;
  /** Messages that wait, by sequence. */
  readonly waiting: ReadonlyMap<number, StreamItem>;
  /** The message in work; no other of its stream overtakes it. */
  readonly current: StreamItem | undefined;
  /** `postponed` waits for another try and takes no turn; `due` may have its next try. */
  readonly stage: 'idle' | 'running' | 'postponed' | 'due';
}

/** The backlog executor of one session. */
export interface BacklogState {
  readonly streams: ReadonlyMap<string, StreamState>;
  /** Terminals in turn. */
  readonly turn: readonly string[];
  /** Messages in work. */
  readonly running: number;
  /** Live messages in work: they go first. */
  readonly live: number;
}

export type BacklogEvent =
  | { readonly kind: 'arrived'; readonly envelope: StreamItem }
  /** Acknowledged or parked. */
  | { readonly kind: 'finished'; readonly terminalId: string }
  /** Could not be decided now; `resumed` follows. */
  | { readonly kind: 'postponed'; readonly terminalId: string }
  | { readonly kind: 'resumed'; readonly terminalId: string }
  | { readonly kind: 'live-began' }
  | { readonly kind: 'live-ended' };

export type BacklogEffect =
  | { readonly kind: 'handle'; readonly envelope: StreamItem }
  /** A message arrived and the one before it is missing. */
  | { readonly kind: 'gap'; readonly terminalId: string; readonly expected: number; readonly got: number }
  | { readonly kind: 'gap-closed'; readonly terminalId: string }
  | { readonly kind: 'violation'; readonly reason: string };

/** A new state and what its owner has to do. */
type BacklogStep = MachineStep<BacklogState, BacklogEffect>;

/** The executor at the start of a session, at the stored positions; a stream without one begins at 1. */
export function initialBacklog(
  positions: readonly { readonly terminalId: string; readonly nextSequence: number }[],
): BacklogState {
  const streams = positions.map(
    ({ terminalId, nextSequence }) => [terminalId, { ...NEW_STREAM, next: nextSequence }] as const,
  );
  return { streams: new Map(streams), turn: [], running: 0, live: 0 };
}

const NEW_STREAM: StreamState = { next: 1, waiting: new Map(), current: undefined, stage: 'idle' };

/**
 * The backlog executor as a pure machine: strictly in order within a stream, several streams in parallel, one while live messages run.
 * A lower sequence than the next one is a repeat or comes from a restored journal: it is handled like the others, and its id decides which.
 */
export function backlogStep(state: BacklogState, event: BacklogEvent, limits: BridgeLimits): BacklogStep {
  switch (event.kind) {
    case 'arrived':
      return arrived(state, event.envelope, limits);
    case 'finished':
      return finished(state, event.terminalId, limits);
    case 'postponed': {
      const held = withStage(state, event.terminalId, 'postponed');
      return pump({ ...held, running: held.running - 1 }, limits);
    }
    case 'resumed':
      return pump(inTurn(withStage(state, event.terminalId, 'due'), event.terminalId), limits);
    case 'live-began':
      return { state: { ...state, live: state.live + 1 }, effects: [] };
    case 'live-ended':
      return pump({ ...state, live: state.live - 1 }, limits);
  }
}

function streamOf(state: BacklogState, terminalId: string): StreamState {
  return state.streams.get(terminalId) ?? NEW_STREAM;
}

function withStream(state: BacklogState, terminalId: string, stream: StreamState): BacklogState {
  return { ...state, streams: new Map(state.streams).set(terminalId, stream) };
}

function withStage(state: BacklogState, terminalId: string, stage: StreamState['stage']): BacklogState {
  return withStream(state, terminalId, { ...streamOf(state, terminalId), stage });
}

function inTurn(state: BacklogState, terminalId: string): BacklogState {
  return state.turn.includes(terminalId) ? state : { ...state, turn: [...state.turn, terminalId] };
}

/** How many messages have arrived and are not finished. */
function unfinished(state: BacklogState): number {
  let count = 0;
  for (const stream of state.streams.values()) count += stream.waiting.size + (stream.current ? 1 : 0);
  return count;
}

function arrived(state: BacklogState, envelope: StreamItem, limits: BridgeLimits): BacklogStep {
  const { terminalId, sequence, id } = envelope;
  const refuse = (reason: string): BacklogStep => ({ state, effects: [{ kind: 'violation', reason }] });
  if (terminalId === '' || sequence < 1)
    return refuse(`${envelope.kind} ${id} without a terminal or sequence`);
  const stream = streamOf(state, terminalId);
  if (stream.current?.id === id || stream.waiting.get(sequence)?.id === id) return { state, effects: [] };
  if (stream.waiting.has(sequence) || stream.current?.sequence === sequence)
    return refuse(`two messages at ${sequence} of stream ${terminalId}`);
  if (unfinished(state) >= limits.backlogCredits)
    return refuse(`more than ${limits.backlogCredits} stream messages unacknowledged`);
  const waiting = new Map(stream.waiting).set(sequence, envelope);
  const taken = inTurn(withStream(state, terminalId, { ...stream, waiting }), terminalId);
  const gap: BacklogEffect[] =
    stream.stage === 'idle' && !ready(streamOf(taken, terminalId))
      ? [{ kind: 'gap', terminalId, expected: stream.next, got: sequence }]
      : [];
  const { state: next, effects } = pump(taken, limits);
  return { state: next, effects: [...gap, ...effects] };
}

/** The message that may be handled next: the lowest that waits, unless one before it is missing. */
function ready(stream: StreamState): StreamItem | undefined {
  if (stream.stage !== 'idle' || stream.waiting.size === 0) return undefined;
  const lowest = Math.min(...stream.waiting.keys());
  return lowest <= stream.next ? stream.waiting.get(lowest) : undefined;
}

function finished(state: BacklogState, terminalId: string, limits: BridgeLimits): BacklogStep {
  const stream = streamOf(state, terminalId);
  const next = Math.max(stream.next, (stream.current?.sequence ?? 0) + 1);
  const freed: StreamState = { ...stream, next, current: undefined, stage: 'idle' };
  const after = inTurn({ ...withStream(state, terminalId, freed), running: state.running - 1 }, terminalId);
  const stuck = freed.waiting.size > 0 && !ready(freed);
  const gap: BacklogEffect[] = stuck
    ? [{ kind: 'gap', terminalId, expected: next, got: Math.min(...freed.waiting.keys()) }]
    : [];
  const { state: pumped, effects } = pump(after, limits);
  return { state: pumped, effects: [...gap, ...effects] };
}

/** Starts what may start: one stream always, more of them while no live message runs. */
function pump(state: BacklogState, limits: BridgeLimits): BacklogStep {
  const effects: BacklogEffect[] = [];
  let current = state;
  for (const terminalId of state.turn) {
    if (current.running >= (current.live > 0 ? 1 : limits.parallelStreams)) break;
    const rest = current.turn.filter((other) => other !== terminalId);
    const stream = streamOf(current, terminalId);
    const envelope = stream.stage === 'due' ? stream.current : ready(stream);
    current = { ...current, turn: rest };
    if (!envelope) continue;
    const waiting = new Map(stream.waiting);
    waiting.delete(envelope.sequence);
    current = withStream(current, terminalId, { ...stream, waiting, current: envelope, stage: 'running' });
    current = { ...current, running: current.running + 1 };
    effects.push({ kind: 'gap-closed', terminalId }, { kind: 'handle', envelope });
  }
  return { state: current, effects };
}
