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
 * Looks at each cause: raises its alert while it stands, clears it when it is gone. What is in the table decides, so an alert of a process
 * that ended is cleared by the next one.
 */
export async function lookAtCauses(
  alerts: Pick<Alerts, 'raise' | 'clear'>,
  causes: readonly StandingCause[],
): Promise<void> {
  for (const { code, subject, detail } of causes) {
    const found = detail();
    if (found === undefined) await alerts.clear(code, subject);
    else await alerts.raise({ code, subject, detail: found });
  }
}
