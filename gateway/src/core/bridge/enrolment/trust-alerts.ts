import type { NewAlert } from '../../../kernel/alerts/alert-changes.js';

/** Alerts about an agent's identity. */
export type TrustAlert = NewAlert;

/** Raises an alert for staff. Never throws: a refusal does not wait for its alert. */
export type RaiseTrustAlert = (alert: TrustAlert) => void;
