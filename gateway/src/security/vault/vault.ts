import type { VaultRow } from '../../store/rows.js';
import type { AccountData } from '../module/security-module.js';

/**
 * Card data at rest, enciphered (AES-256-GCM). The vault makes and reads rows; the payment service commits a new row together with
 * the intent that needs it, so that nothing half done stays and one flush to disk is enough.
 */
export interface Vault {
  /**
   * Enciphers account data into a row of table `vault` under a fresh id, bound to the entity. Nothing is written yet.
   * Track data is left out: it may not be kept once the issuer was asked (PCI DSS 3.3.1), and nothing after that needs it.
   */
  seal(account: AccountData, entityId: string): VaultRow;
  /**
   * Reads the account data back; `track2` is never there.
   * @throws VaultError when the id is unknown, another entity's (P8), or the row was changed
   */
  open(vaultId: string, entityId: string): Promise<AccountData>;
}

/** The vault has no such entry, or its authentication tag does not fit. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}
