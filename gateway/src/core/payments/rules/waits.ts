import type { WaitKind } from '../../../kernel/store/tables/wait-kinds.js';
import type { AcquirerPayee, AcquirerRedirect } from '../../acquirers/acquirer.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A kind of wait. */
interface WaitRule {
  /** How long it lasts where the request names no shorter time, in milliseconds. */
  readonly lifetimeMs: number;
  /** Result code while it lasts. */
  readonly pendingCode: string;
  /** Result code of a payment whose wait ended at its deadline. */
  readonly expiredCode: string;
}

/** The kinds of wait. */
export const WAITS: Readonly<Record<WaitKind, WaitRule>> = {
  /** The shopper approves the payment on the page of a bank or wallet. */
  redirect: { lifetimeMs: 30 * MINUTE_MS, pendingCode: '000.200.000', expiredCode: '100.396.103' },
  /** The shopper proves to the issuer who they are. */
  challenge: { lifetimeMs: 15 * MINUTE_MS, pendingCode: '000.200.000', expiredCode: '100.380.501' },
  /** The holder of a bank account signs a mandate. */
  mandate: { lifetimeMs: 7 * DAY_MS, pendingCode: '000.200.000', expiredCode: '100.396.103' },
  /** A person of the merchant looks at the payment. */
  review: { lifetimeMs: 7 * DAY_MS, pendingCode: '100.400.500', expiredCode: '100.380.501' },
  /** The payer transfers the money, and the acquirer receives it. */
  receipt: { lifetimeMs: 14 * DAY_MS, pendingCode: '800.400.500', expiredCode: '100.396.103' },
};

/** Why a payment that waits is looked at: the shopper came back, a client requests it, news came, or the deadline is over. */
export type WaitCause = 'return' | 'poll' | 'news' | 'deadline';

/** What a payment begins to wait for. */
export interface Waiting {
  readonly kind: WaitKind;
  /** Where the shopper is sent. */
  readonly redirect?: AcquirerRedirect;
  /** The account that the shopper pays to. */
  readonly payee?: AcquirerPayee;
  /** Deadline, in milliseconds since 1970; absent: by {@link WAITS}. */
  readonly untilMs?: number;
}
