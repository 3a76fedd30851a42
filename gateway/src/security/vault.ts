import type { VaultRow } from '../store/rows.js';
import type { AccountData } from './security-module.js';

/**
 * Card data at rest, enciphered (AES-256-GCM). The vault makes and reads rows; the payment desk commits a new row together with
 * the intent that needs it, so that nothing half done stays and one flush to disk is enough.
 */
export interface Vault {
  /** Enciphers account data into a row of table `vault` under a fresh id. Nothing is written yet. */
  seal(account: AccountData): VaultRow;
  /**
   * Reads the account data back.
   * @throws VaultError when the id is unknown or the row was changed
   */
  open(vaultId: string): Promise<AccountData>;
}

/** The vault has no such entry, or its authentication tag does not fit. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}
