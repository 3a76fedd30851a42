import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type Change, type Store, StoreUnavailableError } from '../store/store.js';
import { alertId, clearAlert, type NewAlert, raiseAlert } from './alert-changes.js';
import { ALERT_TABLE, type AlertCode } from './alert-table.js';

/** What alerts are raised with. */
interface AlertsDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: { warn(about: object, text: string): void; error(about: object, text: string): void };
}

/**
 * Raises and clears alerts outside the commit of other work. A module that decides in a commit adds the changes of alert-changes.ts to it instead.
 * Both methods write only what changes, so they may be called again and again. While the database is away they log and return: an alert
 * must not fail the work that it reports.
 */
export class Alerts {
  readonly #deps: AlertsDeps;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
  }

  /** Raises an alert, unless it stands already. */
  async raise(alert: NewAlert): Promise<void> {
    const { code, subject, detail } = alert;
    if (!(await this.#write(alert, false, (nowMs) => raiseAlert(alert, nowMs)))) return;
    this.#deps.log.error({ code, subject, detail }, ALERT_TABLE[code].text);
  }

  /** Clears an alert whose cause is gone; nothing where none stands. */
  async clear(code: AlertCode, subject: string): Promise<void> {
    if (await this.#write({ code, subject }, true, (nowMs) => clearAlert(code, subject, nowMs)))
      this.#deps.log.warn({ code, subject }, 'alert cleared');
  }

  /** Commits the change if the alert stands, or does not, as `whenStanding` wants it; returns whether it did. */
  async #write(
    { code, subject }: Pick<NewAlert, 'code' | 'subject'>,
    whenStanding: boolean,
    change: (nowMs: number) => Change,
  ): Promise<boolean> {
    const { store, clock, log } = this.#deps;
    try {
      const stored = await store.get('alerts', [alertId(code, subject)]);
      if ((stored?.endedAtMs === null) !== whenStanding) return false;
      await store.commit([change(clock.nowMs())]);
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      log.error({ code, subject, err: error }, 'alert not stored');
      return false;
    }
  }
}
