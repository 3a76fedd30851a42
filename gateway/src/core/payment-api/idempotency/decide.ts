import type { IdempotencyRow } from '../../../kernel/store/rows.js';

/** What a request with an Idempotency-Key is: */
export type KeyUse =
  /** the first with it; */
  | { readonly is: 'new' }
  /** the first after what was kept for the key has run out, or after one that began nothing; */
  | { readonly is: 'renewed'; readonly row: IdempotencyRow }
  /** one whose answer is stored; */
  | { readonly is: 'answered'; readonly httpStatus: number; readonly answer: string }
  /** one that was begun and has no final answer yet; */
  | { readonly is: 'resumed'; readonly row: IdempotencyRow }
  /** another request than the one that the key stands for. */
  | { readonly is: 'other-request' };

/** How long a key stands for its request, in milliseconds: 90 days, longer than any store may sell without its link. */
export const IDEMPOTENCY_RETENTION_MS = 90 * 86_400_000;

/**
 * Decides what a request with an Idempotency-Key is.
 * @param begun is there a payment, or one on its way, under the id that was given out?
 */
export function decideKeyUse(
  row: IdempotencyRow | undefined,
  request: { readonly fingerprint: string; readonly nowMs: number },
  begun: boolean,
): KeyUse {
  if (!row) return { is: 'new' };
  if (request.nowMs - row.createdAtMs >= IDEMPOTENCY_RETENTION_MS) return { is: 'renewed', row };
  const { httpStatus, answer } = row;
  const isAnswered = httpStatus !== null && answer !== null;
  if (row.fingerprint !== request.fingerprint)
    return begun || isAnswered ? { is: 'other-request' } : { is: 'renewed', row };
  return isAnswered ? { is: 'answered', httpStatus, answer } : { is: 'resumed', row };
}
