import { AUTHORIZATION_LIFE_MS } from '@tillbridge/wire/payment/lifecycle.js';
import type { IntentRow, PaymentRow, VaultRow } from '../../../kernel/store/rows.js';
import { FIRST_LOOK_MS } from '../vault-aes-gcm.js';

/** When a row is looked at again whose payment is not at its end, in milliseconds. */
const LOOK_AGAIN_MS = 24 * 3_600_000;

/** What decides on a row of the vault. */
interface VaultRowFacts {
  readonly row: Pick<VaultRow, 'id' | 'createdAtMs'>;
  /** The payments that have the card of the row. */
  readonly payments: readonly PaymentRow[];
  /** A schedule pays with it. */
  readonly isScheduled: boolean;
  /** The intent that the row was made for. */
  readonly intent: Pick<IntentRow, 'state'> | undefined;
  readonly nowMs: number;
  /** How long card data is kept after its last use, in milliseconds. */
  readonly keepMs: number;
}

/** Whether card data goes, or until when it stays, in milliseconds since 1970. */
type VaultVerdict = 'delete' | { readonly keepUntilMs: number };

/**
 * The rule of retention. Card data stays while a schedule or a running request has it; else as long as a payment with it may be followed, and
 * some time after its last use. A registration has its own. A payment that was declined needs its card only for an approval by telephone. Pure.
 */
export function decideVaultRetention(facts: VaultRowFacts): VaultVerdict {
  const { row, payments, intent, nowMs, keepMs } = facts;
  if ((intent && intent.state !== 'done') || payments.some(({ lockedBy }) => lockedBy !== null))
    return { keepUntilMs: nowMs + LOOK_AGAIN_MS };
  if (facts.isScheduled) return { keepUntilMs: nowMs + keepMs };
  const ends = payments.map((payment) => neededUntilMs(payment, keepMs));
  const keepUntilMs = Math.max(row.createdAtMs, ...ends);
  return keepUntilMs <= nowMs ? 'delete' : { keepUntilMs };
}

function neededUntilMs({ state, createdAtMs }: PaymentRow, keepMs: number): number {
  if (state === 'declined') return createdAtMs + Math.min(keepMs, FIRST_LOOK_MS);
  const lifeMs = state === 'authorized' ? AUTHORIZATION_LIFE_MS : 0;
  return createdAtMs + Math.max(keepMs, lifeMs);
}
