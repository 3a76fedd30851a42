import { AcquirerUnreachableError } from '../../core/acquirers/acquirer.js';
import { SETTLEMENT_ALERT } from '../../kernel/alerts/alert-table.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import { standingOfCode } from '../../kernel/alerts/standing-of-code.js';
import { CommitConflict, type Store, StoreUnavailableError } from '../../kernel/store/store.js';

/** Limits of what a run reports. */
const FAULT_LIMITS = {
  /** Failed parts with an alert of their own; the rest share one. */
  alerts: 100,
} as const;

/** A part of a run that failed: an entry of the ledger, a settlement, a file. */
export interface FailedPart {
  /** What failed: `entry/…`, `settlement/…`, `merchant/…`, `file/…`, or the name of a whole step. */
  readonly part: string;
  readonly reason: string;
}

/** What the faults of a run are raised with. */
interface FaultDeps {
  readonly store: Pick<Store, 'find'>;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
}

/**
 * The parts of a settlement run that failed. A part that fails stops no other one: it is an alert, and the next run does it again. What makes
 * all parts impossible ends the run.
 */
export class RunFaults {
  readonly #deps: FaultDeps;
  readonly #failed = new Map<string, string>();

  constructor(deps: FaultDeps) {
    this.#deps = deps;
  }

  /** What has failed so far. */
  get failed(): readonly FailedPart[] {
    return [...this.#failed].map(([part, reason]) => ({ part, reason }));
  }

  /** Does a part; undefined where it failed. @throws StoreUnavailableError, AcquirerUnreachableError, CommitConflict: they end the run */
  async during<T>(part: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.note(part, error);
      return undefined;
    }
  }

  /** Notes that a part failed. @throws what ends the run */
  note(part: string, error: unknown): void {
    if (endsRun(error)) throw error;
    this.#failed.set(part, error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown fault');
  }

  /** Raises the alerts of this run, and clears those of earlier ones whose parts have gone well since. @throws StoreUnavailableError */
  async end(): Promise<void> {
    const { store, alerts } = this.#deps;
    const failed = this.failed;
    const own = failed.slice(0, FAULT_LIMITS.alerts);
    const rest = failed.length - own.length;
    if (rest > 0) own.push({ part: 'run', reason: `${rest} more parts failed` });
    const standing = await standingOfCode(store, SETTLEMENT_ALERT);
    const subjects = new Set(own.map(({ part }) => part));
    for (const { subject } of standing)
      if (!subjects.has(subject)) await alerts.clear(SETTLEMENT_ALERT, subject);
    for (const { part, reason } of own)
      await alerts.raise({ code: SETTLEMENT_ALERT, subject: part, detail: reason });
  }
}

function endsRun(error: unknown): boolean {
  return (
    error instanceof StoreUnavailableError ||
    error instanceof AcquirerUnreachableError ||
    error instanceof CommitConflict
  );
}
