import { STRANGER_LIMITS } from '@tillbridge/platform/net/strangers.js';
import { MAX_BODY_BYTES } from '../../api/form.js';

/** Defaults of the configuration's section `limits`. */
export const DEFAULT_LIMITS = {
  /** Connections at once, those of agents among them. */
  connections: 20_000,
  /** Connections of one peer at once; trusted proxies have no such limit. */
  connectionsPerPeer: 1_024,
  /** The head of a request, in bytes. */
  headerBytes: 16_384,
  /** The head of a request, and a TLS handshake, must have come within this time, in milliseconds. */
  headersTimeoutMs: 10_000,
  /** A whole request must have come within this time, in milliseconds. */
  requestTimeoutMs: 30_000,
  /** A body, in bytes; a full cart (1,001 items) fits. */
  bodyBytes: MAX_BODY_BYTES,
  /** A body that comes without a token: a form in which an older client names itself, in bytes. */
  bodyBytesWithoutToken: 16_384,
  /** The bodies of one merchant that are not answered yet, in bytes. */
  bodyBytesPerMerchant: 16_777_216,
  /** Requests at work at once; they are shared among the merchants. */
  requestsAtWork: 64,
  /** Requests without a token of one peer a second in the long run, and at once after a quiet time; further ones wait. */
  strangersPerSecond: STRANGER_LIMITS.perSecond,
  strangersBurst: STRANGER_LIMITS.burst,
};

/** Every limit of the REST side. */
export const DEFAULT_HTTP_LIMITS = {
  ...DEFAULT_LIMITS,
  /** How often connections are looked at for requests that take too long, in milliseconds. */
  timeoutCheckMs: 2_000,
  /** An idle kept connection is closed after this time, in milliseconds. */
  keepAliveTimeoutMs: 30_000,
  /** An id in a path, in characters. */
  paramLength: 128,
};

/** Every limit of the REST side, by name. */
export type HttpLimits = Readonly<Record<keyof typeof DEFAULT_HTTP_LIMITS, number>>;
