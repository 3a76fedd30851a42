/** Randomness, injected everywhere: the operating system's in the processes, seeded in the simulation. */
export interface Random {
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
}
