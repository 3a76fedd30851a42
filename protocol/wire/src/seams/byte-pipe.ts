/**
 * A two-way stream of bytes to a device: serial line, HID, TCP or memory.
 *
 * Everything above this seam is the same code in production and in tests; tests replace only the pipe.
 * A pipe carries bytes in order and may split or join them at will: framing is the codec's work.
 */
export interface BytePipe {
  /** Human name for logs and messages, such as `/dev/ttyACM0` or `memory:host`. */
  readonly name: string;
  /**
   * Hands bytes to the transport; resolves when the transport has taken them.
   * Rejects with {@link PipeClosedError} once the pipe is closed.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Calls `listener` for every piece that arrives. Returns the function that ends the subscription. */
  onData(listener: (bytes: Uint8Array) => void): () => void;
  /** Calls `listener` once when the pipe ends, by either side. Returns the function that ends the subscription. */
  onClose(listener: (reason: string) => void): () => void;
  /** Ends the pipe; idempotent. */
  close(): Promise<void>;
}

/** The pipe is closed: port unplugged, peer gone or closed by ourselves. */
export class PipeClosedError extends Error {
  override readonly name = 'PipeClosedError';
}
