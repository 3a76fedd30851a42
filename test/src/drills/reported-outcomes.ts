/** A sale of which its store receives nothing: it is reversed then. */
export const SALE_WITHOUT_ANSWER = 'sale without an answer';

/** Outcomes that merchants and stores received, and how requests without an answer ended. */
export class ReportedOutcomes {
  /** References of payments over REST, by the last outcome that their merchant received. */
  readonly payments = new Map<string, 'approved' | 'declined'>();
  /** Message ids of sales of stores. */
  readonly sales = new Map<string, 'approved' | 'declined' | 'reversed'>();
  /** What was no outcome, and how often: `503`, `503 without Retry-After`, `no answer: ECONNRESET`. */
  readonly faults = new Map<string, number>();
  /** What should not be, in words. */
  readonly breaches: string[] = [];

  fault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }
}
