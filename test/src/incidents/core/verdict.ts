/** The first row that no event leads to. */
export interface Divergence {
  /** The sale or payment, and the row. */
  readonly subject: string;
  readonly row: string;
  /** Where it stood before, in words. */
  readonly state: string;
  /** Every event that may happen there, and what of it came to nothing. */
  readonly tried: readonly string[];
  /** Why the rules forbid the row, where they state it. */
  readonly because?: string;
}

/** How the replay of one sale or payment came out. */
export interface ReplayVerdict {
  readonly subject: string;
  /** Rows that an event leads to. */
  readonly rows: number;
  readonly divergence?: Divergence;
  /** What cannot be replayed of it, in sentences. */
  readonly notReplayed: readonly string[];
}

/** How the replay of a file came out. */
export interface IncidentReport {
  /** What was replayed, and by what. */
  readonly title: string;
  readonly verdicts: readonly ReplayVerdict[];
  /** What cannot be replayed of the file as a whole, in sentences. */
  readonly notReplayed: readonly string[];
}
