import type { AlertCode } from './alert-table.js';
import type { Alerts } from './alerts.js';

/** How often causes are looked at, in milliseconds. */
export const STANDING_INTERVAL_MS = 5_000;

/** A cause that can be looked at, and the alert about it. */
export interface StandingCause {
  readonly code: AlertCode;
  readonly subject: string;
  /** What is wrong now; undefined while nothing is. */
  readonly detail: () => string | undefined;
}

/**
 * Looks at causes: raises the alert of each that stands, clears it when it is gone. The first look clears what an ended process has left, too.
 * Later ones clear what this process has raised alone: the same cause may stand at another node.
 */
export class StandingAlerts {
  readonly #alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly #causes: readonly StandingCause[];
  /** Causes whose alerts are to be cleared once they are gone. */
  readonly #toClear: Set<StandingCause>;

  constructor(alerts: Pick<Alerts, 'raise' | 'clear'>, causes: readonly StandingCause[]) {
    this.#alerts = alerts;
    this.#causes = causes;
    this.#toClear = new Set(causes);
  }

  /** @throws StoreUnavailableError */
  async look(): Promise<void> {
    for (const cause of this.#causes) {
      const { code, subject } = cause;
      const detail = cause.detail();
      if (detail !== undefined) {
        await this.#alerts.raise({ code, subject, detail });
        this.#toClear.add(cause);
      } else if (this.#toClear.has(cause)) {
        await this.#alerts.clear(code, subject);
        this.#toClear.delete(cause);
      }
    }
  }
}
