import { BRIDGE_LIMITS } from '@tillbridge/protocol/bridge/limits.js';

/** Every limit of the gateway's side of the bridge, by name; those of the protocol among them. */
export interface BridgeLimits {
  readonly maxEnvelopeBytes: number;
  /** How long a socket may stay unproven. */
  readonly helloTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  /** Heartbeat intervals without a sign of life after which a session is dead. */
  readonly missedHeartbeats: number;
  readonly liveCredits: number;
  readonly backlogCredits: number;
  /** Streams of one session that are worked on at once while no live message is. */
  readonly parallelStreams: number;
  /** How long a message waits for the one before it. */
  readonly gapTimeoutMs: number;
  /** Unexpected failures of one message before it is parked. */
  readonly handlingAttempts: number;
  /** First and longest wait before a message is tried again; doubled each time. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** How long a message that cannot be decided may hold up its stream before it is parked; an outage of acquirer or store does not count. */
  readonly streamBlockMs: number;
  /** Lost races of the session's own commit before the agent is told to come back. */
  readonly commitAttempts: number;
  /** What `Goodbye` asks for where coming back later helps. */
  readonly comeBackMs: number;
  /** Bytes that may wait for a slow reader. */
  readonly maxBufferedBytes: number;
  /** How long a closing handshake may take before the connection is cut. */
  readonly closeTimeoutMs: number;
  /** Sockets in all, and those of them that are not proven yet. */
  readonly maxSockets: number;
  readonly maxUnprovenSockets: number;
}

/** The limits in production. */
export const DEFAULT_BRIDGE_LIMITS: BridgeLimits = {
  maxEnvelopeBytes: BRIDGE_LIMITS.maxEnvelopeBytes,
  helloTimeoutMs: BRIDGE_LIMITS.helloTimeoutMs,
  heartbeatIntervalMs: BRIDGE_LIMITS.heartbeatIntervalMs,
  missedHeartbeats: BRIDGE_LIMITS.missedHeartbeats,
  liveCredits: BRIDGE_LIMITS.liveCredits,
  backlogCredits: BRIDGE_LIMITS.backlogCredits,
  parallelStreams: 8,
  gapTimeoutMs: 30_000,
  handlingAttempts: 5,
  retryMinMs: 500,
  retryMaxMs: 30_000,
  streamBlockMs: 15 * 60_000,
  commitAttempts: 5,
  comeBackMs: 2_000,
  maxBufferedBytes: 4 * 1024 * 1024,
  closeTimeoutMs: 2_000,
  maxSockets: 10_000,
  maxUnprovenSockets: 1_000,
};
