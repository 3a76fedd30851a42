import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import type { AuditRow } from '../store/rows.js';
import type { Change, RaiseAlert, Store } from '../store/store.js';
import { withCommit } from '../store/with-commit.js';

/** What the trail is written to. */
export interface TrailLog {
  warn(about: object, text: string): void;
}

/** An alert that is raised again and again is one line in this time. */
const SAME_ALERT_MS = 3_600_000;
/** Alerts that are remembered for that. */
const MAX_ALERTS = 1_000;

/**
 * The store, which also writes the audited changes of its commits to the security log: commands of operators, changes by administrators, alerts. So a
 * copy of it stands outside of the database, and in the log of the machine where it was done.
 */
export function withSecurityTrail(store: Store, log: TrailLog, nowMs: () => number): Store {
  const raisedAtMs = new Map<string, number>();
  const isNew = ({ row: { id } }: RaiseAlert): boolean => {
    const now = nowMs();
    if (now - (raisedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < SAME_ALERT_MS) return false;
    if (raisedAtMs.size >= MAX_ALERTS) raisedAtMs.clear();
    raisedAtMs.set(id, now);
    return true;
  };
  return withCommit(store, async (changes) => {
    await store.commit(changes);
    for (const change of changes) {
      if (change.op === 'raise-alert') {
        if (isNew(change)) tellAlert(log, change);
      } else if (change.op === 'clear-alert') raisedAtMs.delete(change.id);
      else if (isRecord(change)) tellRecord(log, change.row);
    }
  });
}

function isRecord(change: Change): change is Change & { readonly row: AuditRow } {
  return change.op === 'insert' && change.table === 'audit';
}

function tellAlert(log: TrailLog, { row: { code, subject: id, severity, detail } }: RaiseAlert): void {
  log.warn({ ...securityEvent('alert'), code, severity, id, detail }, 'alert on record');
}

function tellRecord(log: TrailLog, row: AuditRow): void {
  const { actor, action, subject: id, outcome, detail, sequence, link } = row;
  const place = sequence === null ? {} : { sequence, link };
  const about = { actor, action, id, outcome, detail: JSON.parse(detail) as unknown, ...place };
  log.warn({ ...securityEvent('command'), ...about }, 'command on record');
}
