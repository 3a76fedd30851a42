/** Two ways to do the same thing. */
export interface Contest {
  readonly name: string;
  readonly goal: number;
  readonly ours: () => unknown;
  readonly baseline: () => unknown;
}
