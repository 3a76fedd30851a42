import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Store } from '../../../kernel/store/store.js';
import { type Vault, VaultError } from '../../../security/vault/vault.js';
import { detailOf } from '../rules/intent-detail.js';

/** What reads a card. */
interface CardOfReferenceDeps {
  readonly store: Pick<Store, 'get'>;
  readonly vault: Pick<Vault, 'open'>;
}

/**
 * Number and expiry (`yyMM`) of the card of an acquirer reference, of a follow-up that of the payment that it follows. Undefined where there was
 * none, and where the vault keeps it no more.
 * @throws StoreUnavailableError
 */
export async function cardOfReference(
  { store, vault }: CardOfReferenceDeps,
  acquirerReference: string,
): Promise<Pick<ExchangeMessage, 'pan' | 'expiry'> | undefined> {
  const intent = await store.get('intents', [acquirerReference]);
  if (!intent) return undefined;
  const { state, rootId, paymentId } = intent;
  const isUnderWay = rootId === null && state !== 'done';
  const holder = isUnderWay ? detailOf(intent).draft : await store.get('payments', [rootId ?? paymentId]);
  const vaultId = holder?.vaultId ?? null;
  if (!holder || vaultId === null) return undefined;
  try {
    const { pan, expiryYear, expiryMonth } = await vault.open(vaultId, holder.entityId);
    return { pan, expiry: `${expiryYear.slice(-2)}${expiryMonth}` };
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
