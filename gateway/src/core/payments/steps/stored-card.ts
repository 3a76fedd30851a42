import { traceOf } from '../cards/card-trace.js';
import { checkCard } from '../rules/check-card.js';
import { NO_CARD } from '../rules/drafts.js';
import type { PreparedCard, RefusedCard } from '../rules/prepared-card.js';
import type { PaymentRequest } from '../rules/requests.js';
import type { PaymentContext } from './payment-context.js';

/** Code of a card that is kept no more: its registration was removed (docs/result-codes.md). */
const REMOVED = '100.150.202';
/** Response codes for a payment without a terminal (ISO 8583, field 39): no such card record; expired or wrong card. */
const RESPONSE_CODES = { removed: '14', refused: '14' } as const;

/**
 * Reads a card out of the vault for a new payment of its owner. It is not sealed again: the payment names the same row.
 * @throws VaultError where the row does not open
 */
export async function storedCard(
  { store, vault, clock }: PaymentContext,
  { origin, brand }: PaymentRequest,
  vaultId: string,
): Promise<PreparedCard | RefusedCard> {
  const row = await store.get('vault', [vaultId]);
  if (row?.entityId !== origin.entityId)
    return { ok: false, resultCode: REMOVED, responseCode: RESPONSE_CODES.removed, trace: NO_CARD };
  const account = await vault.open(vaultId, origin.entityId);
  const { pan: number, expiryMonth, expiryYear } = account;
  const verdict = checkCard(
    { pan: number, brand, typed: { number, expiryMonth, expiryYear } },
    clock.nowMs(),
  );
  const trace = traceOf(account, verdict.ok ? verdict.brand : (brand ?? null));
  if (!verdict.ok)
    return { ok: false, resultCode: verdict.resultCode, responseCode: RESPONSE_CODES.refused, trace };
  return { ok: true, instrument: { kind: 'card', ...account }, vaultId, trace };
}
