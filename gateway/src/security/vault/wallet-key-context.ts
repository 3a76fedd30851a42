import type { WalletKeyRow } from '../../store/rows.js';

/** What a private key of a wallet is bound to, beside its data key. */
export function walletKeyContext({
  entityId,
  wallet,
  id,
}: Pick<WalletKeyRow, 'entityId' | 'wallet' | 'id'>): readonly string[] {
  return ['wallet key', entityId, wallet, id];
}
