import type { Money } from '@tillbridge/wire/payment/money.js';
import type { AccountRow, TransactionRow } from '../rows/tables.js';

/** What a reversal depends on. */
interface ReversalView {
  readonly original: TransactionRow | undefined;
  /** The authorization of an original that is a capture, or the sale of one that is a refund. */
  readonly root: TransactionRow | undefined;
  readonly account: AccountRow | undefined;
}

/** How rows change. */
interface ReversalEffect {
  readonly responseCode: string;
  readonly reversedMinor: number;
  readonly account?: AccountRow;
  readonly transactions: readonly TransactionRow[];
}

const NOTHING: ReversalEffect = { responseCode: '00', reversedMinor: 0, transactions: [] };

/**
 * Reverses what is left of a transaction, but what stays of its amount (pure). One that never came, was declined or was reversed before moves no
 * money, and the reversal is approved all the same: its sender must be able to stop.
 * @param remaining what stays of the original amount
 */
export function decideReversal(
  remaining: Money | undefined,
  { original, root, account }: ReversalView,
): ReversalEffect {
  if (!original || original.approved === 0 || !account) return NOTHING;
  if (remaining !== undefined && remaining.currency !== original.currency)
    return { ...NOTHING, responseCode: '12' };
  const { amountMinor, reversedMinor } = original;
  const minor = Math.min(
    reversibleMinor(original, root),
    amountMinor - reversedMinor - (remaining?.minor ?? 0),
  );
  if (minor <= 0) return NOTHING;
  const reversed = { ...original, reversedMinor: original.reversedMinor + minor };
  switch (original.kind) {
    case 'authorization':
      return effect(minor, { ...account, heldMinor: account.heldMinor - minor }, [
        { ...reversed, heldMinor: original.heldMinor - minor },
      ]);
    case 'increment':
      return effect(minor, { ...account, heldMinor: account.heldMinor - minor }, [
        reversed,
        ...(root
          ? [{ ...root, amountMinor: root.amountMinor - minor, heldMinor: root.heldMinor - minor }]
          : []),
      ]);
    case 'sale':
      return effect(minor, { ...account, balanceMinor: account.balanceMinor + minor }, [reversed]);
    case 'capture':
      return effect(
        minor,
        {
          ...account,
          balanceMinor: account.balanceMinor + minor,
          heldMinor: account.heldMinor + minor,
        },
        [reversed, ...(root ? [{ ...root, heldMinor: root.heldMinor + minor }] : [])],
      );
    case 'refund':
    case 'credit':
      return effect(minor, { ...account, balanceMinor: account.balanceMinor - minor }, [
        reversed,
        ...(root ? [{ ...root, refundedMinor: root.refundedMinor - minor }] : []),
      ]);
  }
}

function effect(
  reversedMinor: number,
  account: AccountRow,
  transactions: readonly TransactionRow[],
): ReversalEffect {
  return { responseCode: '00', reversedMinor, account, transactions };
}

function reversibleMinor(original: TransactionRow, root: TransactionRow | undefined): number {
  if (original.kind === 'authorization') return original.heldMinor;
  // What was captured since stays.
  if (original.kind === 'increment') return Math.min(original.amountMinor, root?.heldMinor ?? 0);
  const { amountMinor, reversedMinor, refundedMinor, chargedBackMinor } = original;
  return amountMinor - reversedMinor - refundedMinor - chargedBackMinor;
}
