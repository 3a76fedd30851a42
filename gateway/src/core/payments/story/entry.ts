/** Where an entry of a story comes from. */
export type EntrySource =
  | 'till'
  | 'terminal'
  | 'agent'
  | 'bridge'
  | 'gateway'
  | 'risk'
  | 'three-d-secure'
  | 'security-module'
  | 'acquirer'
  | 'settlement'
  | 'webhook';

/** One record of a source in the story of a payment; nothing sensitive. */
export interface StoryEntry {
  /** The record: its table and key. No other entry has it. */
  readonly key: string;
  /** Records that this one follows from, by their keys; those that are not there count for nothing. */
  readonly after: readonly string[];
  /** Milliseconds since 1970, by the clock that is named. */
  readonly atMs: number;
  /** `gateway`, or the agent whose clock it is. */
  readonly clock: string;
  readonly source: EntrySource;
  /** What it was about. */
  readonly step: string;
  /** Who decided or did it. */
  readonly by: string;
  readonly rule?: string;
  /** Result code. */
  readonly code?: string;
  readonly detail?: string;
  /** How long it took, where that is known. */
  readonly durationMs?: number;
  /** Ids by which the record is looked up elsewhere. */
  readonly ids?: Readonly<Record<string, string>>;
  /** The payment that it is about. */
  readonly paymentId?: string;
  /** Shown with the right to diagnostics alone. */
  readonly isDiagnostic?: true;
}

/** The clock of the gateway: its nodes are held to one another (kernel/nodes). */
export const GATEWAY_CLOCK = 'gateway';

/** Key of a record of a table. */
export function keyOf(table: string, ...key: readonly (string | number)[]): string {
  return [table, ...key].join('/');
}
