import type { BridgeLimits } from './limits/bridge-limits.js';

/** What a socket reports to its session. Nothing comes after `onClose`. */
export interface BridgeSocketListener {
  /** One whole binary message. */
  onMessage(bytes: Uint8Array): void;
  /** A frame that is no binary message. */
  onViolation(reason: string): void;
  onClose(): void;
}

/** The gateway's end of one connection: whole messages over a WebSocket, or over memory in the simulation. */
export interface BridgeSocket {
  /** Address of the other side, for the log and for limits. */
  readonly peer: string;
  /** The agent whose signature it brought as it came; undefined: it counts for its peer until it has proven itself. */
  readonly arrivedAs?: string | undefined;
  /** TLS channels that the other side may see here: pins of the gateway's TLS keys, or `none` (wire, gateway-pins.ts). */
  readonly channels: readonly string[];
  /** Bytes that were handed over and are not sent yet. */
  readonly bufferedBytes: number;
  /** Called once, before the first event. */
  listen(listener: BridgeSocketListener): void;
  /** Hands a whole message over; dropped when the socket is closing. */
  send(bytes: Uint8Array): void;
  /** The agent is proven: from now on it may send more than {@link BridgeLimits.maxUnprovenBytes}. */
  proven(): void;
  /** Reads nothing for so long; what has arrived already still comes. */
  rest(delayMs: number): void;
  /** Sends what was handed over, then ends the connection. Idempotent. */
  close(reason: string): void;
}
