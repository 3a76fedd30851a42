import { createHash } from 'node:crypto';
import type { AlertRow } from '../store/rows.js';
import type { ClearAlert, RaiseAlert } from '../store/store.js';
import { ALERT_TABLE, type AlertCode } from './alert-table.js';

/** Hex digits of an alert's id. */
const ID_DIGITS = 32;
/** Characters of a detail at most. */
const DETAIL_LENGTH = 500;

/** What is raised. */
export interface NewAlert {
  readonly code: AlertCode;
  /** Its subject, of the kind that its code names. */
  readonly subject: string;
  /** The merchant or channel that may see it over REST; absent where only the operator may see it. */
  readonly entityId?: string;
  /** The values, for the person who looks. Nothing sensitive. */
  readonly detail: string;
}

/** The id of the alert of a code about a subject: there is at most one. */
export function alertId(code: AlertCode, subject: string): string {
  return createHash('sha256').update(`${code}\0${subject}`).digest('hex').slice(0, ID_DIGITS);
}

/** The change that raises an alert as part of a commit. */
export function raiseAlert({ code, subject, entityId, detail }: NewAlert, nowMs: number): RaiseAlert {
  const { severity, action } = ALERT_TABLE[code];
  const row: AlertRow = {
    id: alertId(code, subject),
    code,
    subject,
    entityId: entityId ?? null,
    severity,
    detail: detail.slice(0, DETAIL_LENGTH),
    action,
    state: 'open',
    sinceMs: nowMs,
    acknowledgedAtMs: null,
    note: null,
    unsentSinceMs: nowMs,
    endedAtMs: null,
    version: 1,
  };
  return { op: 'raise-alert', row };
}

/** The change that clears an alert as part of a commit. */
export function clearAlert(code: AlertCode, subject: string, nowMs: number): ClearAlert {
  return { op: 'clear-alert', id: alertId(code, subject), atMs: nowMs };
}
