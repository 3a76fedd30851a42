import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { CommitConflict, type Conflict } from './store.js';

/** Limits of work that is decided again. */
export const DECIDE_AGAIN_LIMITS = {
  /** How long it may go on after its first lost race, in milliseconds. */
  limitMs: 10_000,
  /** Rounds that follow each other at once. So many are done in any case: a process that stood still has used its time for nothing. */
  atOnce: 16,
  /** Pause before each later round, in milliseconds: a conflict that no round mends must not keep the database busy. */
  pauseMs: 10,
} as const;

/** What rounds are decided on. */
export interface DecideAgainDeps {
  /** Rounds with the same key wait for each other on one store. */
  readonly store: object;
  readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
}

/** How rounds are done. */
interface DecideAgainOptions {
  /**
   * Names what is contended: rounds of this process that lost a race on it are done one after the other. Absent: none waits. A round with a key
   * never waits for another one of the same key.
   */
  readonly key?: string;
  /** Whether no further round mends a conflict; it is thrown at once. */
  readonly ends?: (conflict: Conflict) => boolean;
  /** Thrown in place of the conflict when the time is over. */
  readonly busy?: () => Error;
}

/** The last of those that decide again, by key; of each store of this process. */
const LINES = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * The result of a round that reads, decides and commits. A round whose commit lost a race is done again on what is stored by then. Time bounds
 * it and no number of rounds: every lost race is the commit of another request, so that all of them end.
 * @throws CommitConflict, or what `busy` makes, when the time is over: nothing of the last round was written; and what the round throws
 */
export async function decideAgain<T>(
  deps: DecideAgainDeps,
  round: () => Promise<T>,
  { key, ends = () => false, busy }: DecideAgainOptions = {},
): Promise<T> {
  const { store, clock } = deps;
  const isLost = (error: unknown) => error instanceof CommitConflict && !ends(error.conflict);
  try {
    return await round();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  const untilMs = clock.monotonicMs() + DECIDE_AGAIN_LIMITS.limitMs;
  const rounds = async (): Promise<T> => {
    for (let count = 1; ; count += 1) {
      if (count > DECIDE_AGAIN_LIMITS.atOnce) await pause(clock);
      try {
        return await round();
      } catch (error) {
        if (!isLost(error)) throw error;
        const isOver = clock.monotonicMs() >= untilMs && count >= DECIDE_AGAIN_LIMITS.atOnce;
        if (isOver) throw busy?.() ?? error;
      }
    }
  };
  return key === undefined ? rounds() : inLine(store, key, rounds);
}

function pause(clock: DecideAgainDeps['clock']): Promise<void> {
  return new Promise((resolve) => clock.setTimer(DECIDE_AGAIN_LIMITS.pauseMs, resolve));
}

/** Does the work when all that came before it under the key is done. */
async function inLine<T>(store: object, key: string, work: () => Promise<T>): Promise<T> {
  const lines = LINES.get(store) ?? new Map<string, Promise<void>>();
  LINES.set(store, lines);
  const before = lines.get(key);
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  lines.set(key, left);
  try {
    await before;
    return await work();
  } finally {
    leave();
    if (lines.get(key) === left) lines.delete(key);
  }
}

/** What the work gives; `otherwise` where another writer has changed a row that it commits. @throws what else the work throws */
export async function unlessConflict<T, F>(work: () => Promise<T>, otherwise: F): Promise<T | F> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommitConflict) return otherwise;
    throw error;
  }
}
