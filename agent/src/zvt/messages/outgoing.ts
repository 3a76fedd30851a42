/** A message to the till that it acknowledges before the next one leaves. */
export interface Outgoing {
  readonly bytes: Uint8Array;
  /** `outcome` reports how money ended: the till may refuse it (84 66) or have it repeated (84 9C). `end` gives the till its turn again. */
  readonly role: 'progress' | 'outcome' | 'print' | 'end';
}
