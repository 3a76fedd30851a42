import { present } from '@tillbridge/wire/present.js';
import { findAll } from '../store/all-rows.js';
import { unlessConflict } from '../store/decide-again.js';
import type { AlertRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { alertKind } from './alert-table.js';

/** State of an alert. */
export type AlertState = AlertRow['state'];

/** The states, those that a person still has to look at first. */
export const ALERT_STATES = ['open', 'acknowledged', 'cleared'] as const satisfies readonly AlertState[];

/** An alert as operators and merchants see it; times are ISO 8601 UTC. */
export interface AlertView extends Pick<AlertRow, 'id' | 'code' | 'subject' | 'severity' | 'state'> {
  readonly entityId?: string;
  readonly text?: string;
  readonly detail: string;
  readonly action: string;
  readonly since: string;
  readonly acknowledgedAt?: string;
  readonly note?: string;
  readonly endedAt?: string;
}

/** What people see of a row. */
export function alertView(row: AlertRow): AlertView {
  const { id, code, subject, entityId, severity, detail, action, state, note } = row;
  return {
    id,
    code,
    subject,
    severity,
    state,
    detail,
    action,
    since: new Date(row.sinceMs).toISOString(),
    ...present({
      entityId,
      text: alertKind(code)?.text,
      acknowledgedAt: timeOf(row.acknowledgedAtMs),
      note,
      endedAt: timeOf(row.endedAtMs),
    }),
  };
}

/** Every alert in one of the states, however many there are; the critical ones first, then the oldest. @throws StoreUnavailableError */
export async function listAlerts(
  store: Pick<Store, 'find'>,
  states: readonly AlertState[],
): Promise<readonly AlertRow[]> {
  const found: AlertRow[] = [];
  for (const state of states) found.push(...(await findAll(store, 'alerts', 'state', [state])));
  return found.sort(bySeverityAndAge);
}

function bySeverityAndAge(a: AlertRow, b: AlertRow): number {
  if (a.severity !== b.severity) return a.severity === 'critical' ? -1 : 1;
  return a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1);
}

/**
 * Records that a person deals with an alert. It is counted no more; one about an event has ended. Again is the same as once.
 * @returns the row as it is now; undefined when another change came first
 * @throws StoreUnavailableError
 */
export async function acknowledgeAlert(
  store: Pick<Store, 'commit'>,
  row: AlertRow,
  note: string | null,
  nowMs: number,
): Promise<AlertRow | undefined> {
  if (row.state !== 'open') return row;
  const endedAtMs = alertKind(row.code)?.ends === 'cause' ? null : nowMs;
  const acknowledged = { ...row, state: 'acknowledged', acknowledgedAtMs: nowMs, note, endedAtMs } as const;
  return unlessConflict(async () => {
    await store.commit([{ op: 'update', table: 'alerts', row: acknowledged }]);
    return acknowledged;
  }, undefined);
}

function timeOf(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString();
}
