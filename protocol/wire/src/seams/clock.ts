/** A timer that was set; cancelling it twice or after it fired does nothing. */
export interface Timer {
  cancel(): void;
}

/** Time, injected everywhere: real in the processes, virtual in the simulation. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970. May jump (P6): never used to order or to bound anything alone. */
  nowMs(): number;
  /** Milliseconds that only grow within this process; for deadlines and measuring. */
  monotonicMs(): number;
  /** Calls `fire` once after `delayMs` milliseconds. */
  setTimer(delayMs: number, fire: () => void): Timer;
}
