import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { isFailed, type Result } from './result.js';

/** How the slot is polled where the terminal does not report the removal of a card. */
interface RemovalPoll {
  readonly clock: Clock;
  /** Whether the till has cancelled. */
  readonly stopped: () => boolean;
  /** Longest wait. */
  readonly limitMs: number;
  readonly isPresent: () => Promise<Result<boolean>>;
  /** Pause between two questions; none where the terminal itself waits before it answers. */
  readonly pauseMs?: number;
}

/** Polls until the card has left, the time is up or the till stops it. Returns the failure of a query. */
export async function pollUntilRemoved(poll: RemovalPoll): Promise<Result<undefined>> {
  const { clock, stopped, limitMs, isPresent, pauseMs } = poll;
  const untilMs = clock.monotonicMs() + limitMs;
  while (!stopped() && clock.monotonicMs() < untilMs) {
    const present = await isPresent();
    if (isFailed(present)) return present;
    if (!present) return undefined;
    if (pauseMs !== undefined) await new Promise<void>((resolve) => clock.setTimer(pauseMs, resolve));
  }
  return undefined;
}
