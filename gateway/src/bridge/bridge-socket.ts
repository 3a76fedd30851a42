/** What a socket tells its session. Nothing comes after `onClose`. */
export interface BridgeSocketListener {
  /** One whole binary message. */
  onMessage(bytes: Uint8Array): void;
  /** A frame that is no binary message. */
  onViolation(reason: string): void;
  onClose(): void;
}

/** The gateway's end of one connection: whole messages over a WebSocket, or over memory in the simulation. */
export interface BridgeSocket {
  /** Address of the other side, for the log. */
  readonly peer: string;
  /** Bytes that were handed over and are not sent yet. */
  readonly bufferedBytes: number;
  /** Called once, before the first event. */
  listen(listener: BridgeSocketListener): void;
  /** Hands a whole message over; dropped when the socket is closing. */
  send(bytes: Uint8Array): void;
  /** Sends what was handed over, then ends the connection. Idempotent. */
  close(reason: string): void;
}
