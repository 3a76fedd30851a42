/** A route with the id of one thing in its path. */
export interface WithId {
  Params: { id: string };
}

/** Right and rate of what a merchant looks after: its devices, webhooks, reviews, alerts, agents. */
export const ADMINISTRATION = {
  read: { config: { right: 'administration', throttle: 'reads' } },
  change: { config: { right: 'administration', throttle: 'followUps' } },
} as const;

/** Right and rate of what leads to a payment: checkouts, registrations, payment links. */
export const PREPARATION = {
  make: { config: { right: 'pay', throttle: 'payments', idempotent: true } },
  change: { config: { right: 'pay', throttle: 'followUps' } },
  read: { config: { right: 'read', throttle: 'reads' } },
} as const;

/** Right and rate of settlements and of the files that merchants reconcile with. */
export const REPORTS = { config: { right: 'reports', throttle: 'query' } } as const;
