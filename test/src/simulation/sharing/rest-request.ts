/** How it ended; `absent`: the gateway never got it. */
export type SharedEnd = 'approved' | 'declined' | 'absent';

/** A request over REST, and what is known of it. */
export interface RestRequest {
  readonly reference: string;
  readonly kind: string;
  /** When it was sent, by the monotonic clock in milliseconds. */
  sentAtMs?: number;
  /** By an answer or a query; it must stay so. */
  outcome?: SharedEnd;
  paymentId?: string;
  /** Of its answer; absent where it was looked up. */
  resultCode?: string;
}
