import type { Envelope, Outcome, StreamKind, StreamPosition } from '@tillbridge/wire/bridge/messages.js';

/** A message of a terminal's stream with its place in it. */
export type StreamEnvelope = Envelope<StreamKind>;

/** One message that waits for the gateway, as a person may see it. */
export interface QueueItem {
  readonly messageId: string;
  readonly reference: string;
  readonly terminalId: string;
  readonly sequence: number;
  readonly kind: StreamKind;
  readonly state: 'waiting' | 'parked';
  /** When it was journaled, milliseconds since 1970. */
  readonly atMs: number;
  /** Amount in minor units and its currency; of an offline record it counts towards the exposure. */
  readonly amount?: { readonly minor: number; readonly currency: string };
  /** Of an offline record: who approved. */
  readonly approval?: 'card-approved' | 'deferred';
  /** Why it is parked, for a person. */
  readonly reason?: string;
}

/** An offline record whose money is not confirmed. */
export interface UnconfirmedRecord {
  readonly item: QueueItem;
  /** Distinguishes one card from another; absent in records of older builds. */
  readonly fingerprint?: string;
}

/**
 * What was decided without the gateway and is not confirmed, of one terminal and currency. Parked records count until a
 * person has resolved them: their money is as uncertain as that of waiting ones.
 */
export interface Exposure {
  readonly terminalId: string;
  readonly currency: string;
  readonly minor: number;
  readonly count: number;
}

/**
 * The stream messages that the gateway has not acknowledged, derived from the journal.
 * A message leaves only as acknowledged or parked with a reason (P4); its id and number never change.
 */
export interface ForwardQueue {
  /** Terminals with at least one waiting message. */
  terminals(): readonly string[];
  /**
   * The waiting message of the terminal with the lowest sequence above `afterSequence` (0: from the start);
   * `undefined` when there is none. Parked ones are skipped.
   * @throws JournalUnavailable when the disk cannot be read
   */
  next(terminalId: string, afterSequence: number): Promise<StreamEnvelope | undefined>;
  /**
   * The gateway has committed the message: journals that, then forgets it. Unknown or repeated ids do nothing.
   * @throws JournalUnavailable when it could not be written: the message stays and will be acknowledged again
   */
  acknowledged(messageId: string, outcome: Outcome): Promise<void>;
  /**
   * The gateway will never take the message: journals that; a person sees it from then on.
   * @throws JournalUnavailable as above
   */
  parked(messageId: string, reason: { readonly code: string; readonly text: string }): Promise<void>;
  /** Calls `listener` whenever a message was added, or `flush` requests another try. */
  onWork(listener: (terminalId: string) => void): () => void;
  /**
   * For each stream the sequence of the message that would be sent next: the lowest that waits, or of one to come
   * (`Hello.streams`). Numbers before it were acknowledged, withdrawn or parked and are never sent.
   */
  positions(): readonly StreamPosition[];
  /** Waiting messages, parked ones left out. */
  depth(): number;
  parkedCount(): number;
  /** When the oldest waiting message was journaled; `undefined` when none waits. */
  oldestAtMs(): number | undefined;
  /** Waiting and parked offline records per terminal and currency. */
  exposure(): readonly Exposure[];
  /** Everything that waits or is parked, by terminal and sequence. */
  items(): readonly QueueItem[];
  /** Head of the journal's hash chain, for the heartbeat. */
  head(): { readonly row: number; readonly hash: Uint8Array };
}
