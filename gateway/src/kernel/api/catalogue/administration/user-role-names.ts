/** All roles of users, the weakest first; what each allows is in user-roles.ts. */
export const USER_ROLE_NAMES = ['view', 'support', 'finance', 'developer', 'admin'] as const;

/** A role for a merchant or channel. */
export type UserRole = (typeof USER_ROLE_NAMES)[number];
