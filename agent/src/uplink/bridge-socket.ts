/** What a socket of the bridge reports to its owner; nothing comes after `onClose`. */
export interface BridgeSocketListener {
  /** `channel` is the pin of the server's TLS key, or `none` (wire, gateway-pins.ts). */
  onOpen(channel: string): void;
  /** One whole binary message, already within the size limit. */
  onMessage(bytes: Uint8Array): void;
  /** The peer sent something that is no binary message of the bridge. */
  onViolation(detail: string): void;
  /** The socket ended, or could not be opened. Comes once. */
  onClose(detail: string): void;
}

/** One connection to the gateway's bridge: whole messages over a WebSocket, or over memory in the simulation. */
export interface BridgeSocket {
  /**
   * Hands a whole message to the transport and calls `taken` when it has left this process, or never will.
   * Returns false, and never sends it, when the socket is not open or has too much waiting already.
   * The bytes belong to the socket until `taken`.
   */
  send(bytes: Uint8Array, taken: () => void): boolean;
  /**
   * Has the peer answer without a message of the bridge, and calls `answered` when it does. Returns false when the socket is not open.
   * Absent where the transport has no such thing.
   */
  ping?(answered: () => void): boolean;
  /** Ends the connection; what was handed over before may still arrive. Idempotent. */
  close(detail: string): void;
}

/** Opens a connection to the gateway. Never throws: a failure is `onClose`. The listener is never called before it returns. */
export type ConnectBridge = (listener: BridgeSocketListener) => BridgeSocket;
