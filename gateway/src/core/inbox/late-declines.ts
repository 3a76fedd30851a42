import { type AlertSourceDeps, notedAlerts } from './alert-source.js';
import type { InboxSource } from './inbox-source.js';

/** Codes of the alerts about payments that were approved without the issuer, and declined by it since. */
const CODES = ['offline-declined', 'stand-in-declined', 'offline-record-refused'] as const;

/** Payments that were approved without the issuer, and declined by it since. */
export function lateDeclines(deps: AlertSourceDeps): InboxSource {
  const money =
    'It moves no money: the goods are given out, and the amount is lost unless the cardholder pays it otherwise.';
  return notedAlerts(deps, 'late-decline', CODES, money);
}
