import type { UserRole } from './catalogue/administration/user-role-names.js';
import type { TokenRight } from './token-rights.js';

/** What a role is for, and the rights that it gives. */
interface UserRoleRow {
  readonly allows: string;
  readonly rights: readonly TokenRight[];
}

/** Roles of users, each for a merchant with its channels or for one channel. They give rights of the same kind as access tokens have. */
export const USER_ROLES = {
  view: { allows: 'sees payments', rights: ['read'] },
  support: { allows: 'helps shoppers: sees payments, refunds and reverses them', rights: ['read', 'refund'] },
  finance: {
    allows: 'reconciles: sees payments, settlements and files, refunds and reverses',
    rights: ['read', 'refund', 'reports'],
  },
  developer: {
    allows: 'integrates: sees payments, looks after webhooks, devices, reviews and alerts',
    rights: ['read', 'administration', 'simulator'],
  },
  admin: {
    allows: 'everything of the merchant, its users too',
    rights: ['pay', 'refund', 'credit', 'read', 'reports', 'administration', 'simulator', 'users'],
  },
} as const satisfies Readonly<Record<UserRole, UserRoleRow>>;

/** What an operator may do for every merchant: see and look after, and move no money. */
export const OPERATOR_RIGHTS: readonly TokenRight[] = [
  'read',
  'reports',
  'administration',
  'metrics',
  'simulator',
  'users',
  'operator',
];
