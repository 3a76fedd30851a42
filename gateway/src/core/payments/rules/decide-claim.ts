import type { ClaimRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

/** A till's claim on its reference: the change that takes it, or the payment that holds it. */
type ClaimVerdict =
  | { readonly free: true; readonly change: Change }
  | { readonly free: false; readonly heldBy: string };

/** P2: one till reference, at most one sale that is approved or may become so. Pure. */
export function decideClaim(
  stored: ClaimRow | undefined,
  wanted: { readonly agentId: string; readonly reference: string; readonly paymentId: string },
): ClaimVerdict {
  if (!stored) {
    return {
      free: true,
      change: { op: 'insert', table: 'claims', row: { ...wanted, released: 0, version: 1 } },
    };
  }
  if (stored.released === 0) return { free: false, heldBy: stored.paymentId };
  const row: ClaimRow = { ...stored, paymentId: wanted.paymentId, released: 0 };
  return { free: true, change: { op: 'update', table: 'claims', row } };
}

/** The change that frees a reference after a decline or reversal; none when another payment holds it by now. */
export function releaseClaim(stored: ClaimRow | undefined, paymentId: string): Change[] {
  if (!stored || stored.released === 1 || stored.paymentId !== paymentId) return [];
  return [{ op: 'update', table: 'claims', row: { ...stored, released: 1 } }];
}
