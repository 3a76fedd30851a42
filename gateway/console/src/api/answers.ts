import type { UserRole } from '@tillbridge/gateway/kernel/api/catalogue/administration/user-role-names.js';
import type { TokenRight } from '@tillbridge/gateway/kernel/api/token-rights.js';

export type { UserRole } from '@tillbridge/gateway/kernel/api/catalogue/administration/user-role-names.js';
export type { TokenRight } from '@tillbridge/gateway/kernel/api/token-rights.js';

/** A role for a merchant or channel. */
export interface RoleOf {
  readonly entityId: string;
  readonly role: UserRole;
}

/** A merchant or channel, and what the user may do there. */
export interface ReachedEntity {
  readonly id: string;
  readonly name: string;
  readonly kind: 'merchant' | 'channel';
  /** Of a channel. */
  readonly merchantId?: string;
  readonly rights: readonly TokenRight[];
}

/** Who is signed in. */
export interface Session {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly isOperator: boolean;
  };
  readonly roles: readonly RoleOf[];
  /** Each merchant before its channels. */
  readonly entities: readonly ReachedEntity[];
  /** For all merchants: of an operator. */
  readonly rights: readonly TokenRight[];
  /** Shown once, after an invitation was accepted. */
  readonly recoveryCodes?: readonly string[];
}

/** What an invited person sees before accepting. */
export interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly secret: string;
  readonly address: string;
  readonly qrCode: string;
}

/** A user in a list. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly state: 'invited' | 'active';
  readonly isOperator: boolean;
  readonly roles: readonly RoleOf[];
  readonly lastSignInAt?: string;
  readonly invitedUntil?: string;
}

/** A user who was invited; without a link the user can sign in already. */
export interface InvitedUser {
  readonly user: User;
  readonly link?: string;
}

/** A record of what was done. */
export interface AuditRecord {
  readonly sequence: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: 'begun' | 'done' | 'failed';
  readonly entityId?: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A page of records; `next`: where the one before begins. */
export interface AuditPage {
  readonly records: readonly AuditRecord[];
  readonly next?: number;
}
