/**
 * What a till may do: `sell` (sales, preauthorizations, captures), `refund` (refunds and reversals), `resolve` (parked sales and late
 * declines), `report` (lists, queue, totals and day closes of the whole store), `tip` and `cash-back` (with `sell`: sales with a tip, and with
 * cash back).
 */
export const TILL_RIGHTS = ['sell', 'refund', 'resolve', 'report', 'tip', 'cash-back'] as const;

/** One of {@link TILL_RIGHTS}. */
export type TillRight = (typeof TILL_RIGHTS)[number];

/** A till of the store that has a token. */
export interface Till {
  /** Its name for ever: sales are journaled under it. */
  readonly id: string;
  readonly rights: readonly TillRight[];
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Its page needs the PIN of the cashier. */
  readonly hasPin?: boolean;
}

/** Who calls the agent. */
export interface Caller {
  /** The till; absent for the token of the store, which has every right and manages the tills. */
  readonly till?: string;
  readonly rights: readonly TillRight[];
  /** Its page is locked by the PIN of the cashier. */
  readonly hasPin?: boolean;
  /** A customer display, and the terminal that it shows: it has no right, and may read nothing else. */
  readonly display?: string;
}

/** Who has the token of the store. */
export const STORE: Caller = { rights: TILL_RIGHTS };

/** Who has the token of a till. */
export function callerOf({ id, rights, hasPin }: Till): Caller {
  return { till: id, rights, ...(hasPin && { hasPin }) };
}

/** A customer display of a terminal, which a till has made; `till` absent: the store itself. */
export function displayCaller(terminalId: string, till: string | undefined): Caller {
  return { ...(till !== undefined && { till }), rights: [], display: terminalId };
}

/** Rights of staff, by which a till may see sales of others. */
const STAFF_RIGHTS: readonly TillRight[] = ['refund', 'resolve', 'report'];

/** Whether a caller may see a sale: its own, or any with a right of staff. `till`: the till that requested the sale. */
export function maySee(caller: Caller, { till }: { readonly till?: string }): boolean {
  if (caller.till === undefined || caller.till === till) return true;
  return STAFF_RIGHTS.some((right) => caller.rights.includes(right));
}
