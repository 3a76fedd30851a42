import type { Alerts } from '../../kernel/alerts/alerts.js';
import type { OpenSession } from './session-machine.js';

/** Compares the clock of a session's agent with the gateway's: an alert while they differ. */
export class ClockWatch {
  readonly #alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly #toleranceMs: number;
  /** What the last heartbeat showed; undefined before the first one of the session. */
  #differs: boolean | undefined;

  constructor(alerts: Pick<Alerts, 'raise' | 'clear'>, toleranceMs: number) {
    this.#alerts = alerts;
    this.#toleranceMs = toleranceMs;
  }

  /** A heartbeat's time, and when it came; milliseconds since 1970. */
  async reported({ agentId, entityId }: OpenSession, agentMs: number, nowMs: number): Promise<void> {
    const differs = Math.abs(agentMs - nowMs) > this.#toleranceMs;
    if (differs === this.#differs) return;
    this.#differs = differs;
    if (!differs) return this.#alerts.clear('clock-disagrees', agentId);
    const detail = `agent ${new Date(agentMs).toISOString()}, gateway ${new Date(nowMs).toISOString()}`;
    return this.#alerts.raise({ code: 'clock-disagrees', subject: agentId, entityId, detail });
  }
}
