import { outcomeOf } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import type { UsedProofRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

/** The proof of an authentication that a payment brings along; nothing of the value is in it. */
export type ProofUse = Pick<UsedProofRow, 'merchantId' | 'proof'>;

/** A second authorization by one proof: the authentication is not valid for it (docs/result-codes.md). */
const USED = {
  resultCode: '800.400.200',
  responseCode: null,
  detail: 'threeDSecure.verificationId: must prove one authorization: it has proved another',
} as const;

/** Takes a proof for a payment: the changes, or the refusal where another payment has used it. Pure. @param stored the use as it is stored */
export function takeProof(
  stored: UsedProofRow | undefined,
  use: ProofUse | undefined,
  by: { readonly paymentId: string; readonly nowMs: number },
): { readonly changes: readonly Change[]; readonly refusal?: typeof USED } {
  if (!use) return { changes: [] };
  if (stored) return { changes: [], refusal: USED };
  const row: UsedProofRow = { ...use, paymentId: by.paymentId, createdAtMs: by.nowMs, version: 1 };
  return { changes: [{ op: 'insert', table: 'usedProofs', row }] };
}

/** Whether an outcome gives the proof free: a fault on the way, not the word of an issuer. Pure. */
export function freesProof({
  approved,
  resultCode,
}: {
  readonly approved: boolean;
  readonly resultCode: string;
}): boolean {
  return !approved && outcomeOf(resultCode) === 'failed';
}

/** The change that gives the proof of a payment free. Pure. @param stored the use as it is stored */
export function freeProof(stored: UsedProofRow | undefined, paymentId: string): readonly Change[] {
  if (stored?.paymentId !== paymentId) return [];
  const { merchantId, proof, version } = stored;
  return [{ op: 'delete', table: 'usedProofs', key: [merchantId, proof], version }];
}
