import type { DeliveryRow } from '../../../kernel/store/rows.js';

/** Tries that a delivery remembers at most, the latest. */
const MAX_LOGGED_TRIES = 50;

/** One try of a delivery. */
export interface DeliveryTry {
  readonly atMs: number;
  /** HTTP status of the answer; absent where there was none. */
  readonly status?: number;
  /** Code of what went wrong without an answer. */
  readonly fault?: string;
  /** The same in words, with the reason, for the operator alone: it may reveal the gateway's own network. Never stored. */
  readonly reason?: string;
  /** How long it took. */
  readonly durationMs: number;
}

/** The tries of a delivery, the first one first. */
export function triesOf({ attempts }: Pick<DeliveryRow, 'attempts'>): readonly DeliveryTry[] {
  return JSON.parse(attempts) as DeliveryTry[];
}

/** The column with one try more. */
export function withTry(row: Pick<DeliveryRow, 'attempts'>, { reason: _, ...one }: DeliveryTry): string {
  return JSON.stringify([...triesOf(row), one].slice(-MAX_LOGGED_TRIES));
}

/** Has the receiver taken it? Any 2xx is success (docs/webhooks.md). */
export function isTaken({ status = 0 }: Pick<DeliveryTry, 'status'>): boolean {
  return status >= 200 && status < 300;
}
