import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';

const { maxEnvelopeBytes, helloTimeoutMs, heartbeatIntervalMs, missedHeartbeats } = BRIDGE_LIMITS;
const { liveCredits, backlogCredits } = BRIDGE_LIMITS;

/** The limits of the gateway's side of the bridge in production, those of the protocol among them. */
export const DEFAULT_BRIDGE_LIMITS = {
  maxEnvelopeBytes,
  /** Longest time from a new socket to its valid Hello. */
  helloTimeoutMs,
  heartbeatIntervalMs,
  /** Heartbeat intervals without any message after which a session ends. */
  missedHeartbeats,
  liveCredits,
  backlogCredits,
  /** Streams of one session that are handled in parallel while no live message is. */
  parallelStreams: 8,
  /** How long a message waits for a missing one before it. */
  gapTimeoutMs: 30_000,
  /** Unexpected failures of one message before it is parked. */
  handlingAttempts: 5,
  /** First and longest wait before a message is tried again; the wait doubles each time. */
  retryMinMs: 500,
  retryMaxMs: 30_000,
  /** How long an undecided message may block its stream before it is parked; an outage of acquirer or store does not count. */
  streamBlockMs: 15 * 60_000,
  /** Lost races of the session's own commit before the gateway sends the agent `Reconnect`. */
  commitAttempts: 5,
  /** Wait that `Goodbye` states where reconnecting later helps. */
  comeBackMs: 2_000,
  /** The same of a gateway that stops, once to twice as long: where other nodes go on it is shorter. */
  leaveMs: 2_000,
  /** How long a gateway that stops lets live messages of a session end, and how long it takes to end all sessions. */
  drainMs: 5_000,
  /** Bytes that may wait for a slow reader. */
  maxBufferedBytes: 4 * 1024 * 1024,
  /** Longest closing handshake before the connection is cut. */
  closeTimeoutMs: 2_000,
  /** Clocks of agent and gateway that differ by more are an alert. */
  clockToleranceMs: 10 * 60_000,
  /** Most sockets, most of them without a valid Hello yet, and most of these from one address. */
  maxSockets: 20_000,
  maxUnprovenSockets: 2_000,
  maxUnprovenOfPeer: 64,
  /** Most sockets without a valid Hello of one agent, in addition to those of its peer, where it has shown its signature as it came. */
  maxUnprovenOfAgent: 4,
  /** Such signatures that are checked in the long run, and at once after a quiet time; beyond, they count for nothing. */
  arrivalChecksPerSecond: 200,
  arrivalChecksBurst: 400,
  /** New sockets in the long run, and at once after a quiet time: a crowd of them is let in one after the other, in parallel with the work. */
  newSocketsPerSecond: 400,
  newSocketsBurst: 100,
  /** How long a new socket waits for that; sockets beyond it receive `Reconnect`, so many at once. */
  maxArrivalWaitMs: 4_000,
  maxTurnedAway: 1_000,
  /** New sockets of a peer of which one has ended without a proof, until one of it proves itself. */
  silentPeerSocketsPerSecond: 2,
  silentPeerSocketsBurst: 10,
  /** Bytes that a socket may send before its Hello is proven: the Hello of an agent with the most terminals fits. */
  maxUnprovenBytes: 48 * 1024,
  /** Messages of a session in the long run, and at once after a quiet time; what comes faster is read later. */
  messagesPerSecond: 500,
  messagesBurst: 1_000,
  /** The same for heartbeats; a session with more is ended. */
  heartbeatsPerSecond: 1,
  heartbeatsBurst: 10,
};

/** Every limit of the gateway's side of the bridge, by name. */
export type BridgeLimits = Readonly<Record<keyof typeof DEFAULT_BRIDGE_LIMITS, number>>;
