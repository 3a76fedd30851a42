/** One transaction of a store's writer. */
export interface Batch {
  readonly commits: number;
  /** Until it was durable, or failed. */
  readonly seconds: number;
  readonly ok: boolean;
}
