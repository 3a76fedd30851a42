/** The WebSocket subprotocol of the bridge. */
export const BRIDGE_SUBPROTOCOL = 'tillbridge.v1';

/** Versions of the bridge this build speaks, lowest and highest. */
export const BRIDGE_VERSIONS = { min: 1, max: 1 } as const;

/** Every limit of the bridge, by name. */
export const BRIDGE_LIMITS = {
  /** One envelope, encoded. */
  maxEnvelopeBytes: 64 * 1024,
  /** Ids, references and other short texts, in characters. */
  maxTextLength: 255,
  /** A reason or description meant for a person. */
  maxReasonLength: 1_024,
  /** EMV data, SRED data (2,048 hex characters in the API). */
  maxBlobBytes: 1_024,
  /** Terminals of one agent. */
  maxTerminals: 256,
  nonceBytes: 32,
  /** A certificate of a private certification authority. */
  maxCertificateBytes: 4_096,
  /** Entries of each list of a pin set. */
  maxPins: 8,
  /** How long a socket may stay unproven. */
  helloTimeoutMs: 10_000,
  heartbeatIntervalMs: 15_000,
  /** A session without a sign of life for so many heartbeat intervals is dead. */
  missedHeartbeats: 3,
  /** Messages on the way and not answered, for each queue. */
  liveCredits: 64,
  backlogCredits: 32,
} as const;
